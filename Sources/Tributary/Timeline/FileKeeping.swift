/// For plugins of the library that keep a file open, so that the client cannot write it again for them.
package protocol FileKeeping: Plugin {
    /// Called on the client's executor when the client looks for deleted files. The plugin writes its missing
    /// files again.
    /// - Returns: the names of these files.
    func restoreFiles() -> [String]
}
