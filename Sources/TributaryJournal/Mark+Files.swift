extension Mark {
    /// Writes the mark to the folder; on return it has replaced the old one, on an error the old one is still there.
    func write(
        in folder: String, _ durability: JournalOptions.Durability, _ files: any FileSystem
    ) throws(JournalError) {
        let newPath = folder + "/" + FileName.newMark
        let file = try OpenFile(newPath, .replace, in: files)
        try file.write(encoded(), at: 0)
        if durability == .everyAppend { try file.sync() }
        try files.moveFile(newPath, to: folder + "/" + FileName.mark)
        if durability == .everyAppend { try files.syncFolder(folder) }
    }

    /// Reads the mark of a folder; nil when there is none.
    static func read(from folder: String, _ files: any FileSystem) throws(JournalError) -> Reading? {
        do {
            let file = try OpenFile(folder + "/" + FileName.mark, .read, in: files)
            return read(try file.read(at: 0, count: JournalLimits.headerBytes))
        } catch let error where error.reason == .missing {
            return nil
        }
    }
}
