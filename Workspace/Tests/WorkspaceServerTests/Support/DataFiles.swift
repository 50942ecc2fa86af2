import Foundation

/// Looks into all files of a folder.
enum DataFiles {
    /// The files that have a text in them, as paths within the folder.
    static func containing(_ text: String, in folder: String) throws -> [String] {
        let needle = Data(text.utf8)
        return try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter { name in
            FileManager.default.contents(atPath: folder + "/" + name)?.range(of: needle) != nil
        }
    }
}
