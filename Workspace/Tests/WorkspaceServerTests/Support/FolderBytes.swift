import Foundation

/// The files of a folder with their bytes, to see whether something changed the folder.
///
/// SQLite makes its files for shared memory whenever somebody reads a database, and an empty log with them. These files are
/// left out.
struct FolderBytes: Equatable {
    private let files: [String: Data]

    init(_ path: String) throws {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) where !name.hasSuffix("-shm") {
            let file = path + "/" + name
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            if !(data.isEmpty && name.hasSuffix("-wal")) { files[name] = data }
        }
        self.files = files
    }
}
