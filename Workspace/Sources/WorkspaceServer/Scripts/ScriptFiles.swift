import WorkspaceFiles

/// The scripts that are part of the program, by their paths in `Workspace/Templates`.
enum ScriptFiles {
    static let all: [String: String] = {
        var count = 0
        let list = workspace_script_files(&count)
        var files: [String: String] = [:]
        for file in UnsafeBufferPointer(start: list, count: count) {
            let bytes = UnsafeBufferPointer(start: file.bytes, count: file.length)
            files[String(cString: file.name)] = String(decoding: bytes, as: UTF8.self)
        }
        return files
    }()

    /// The names of the templates in a folder that have this file.
    static func templates(_ folder: String, with file: String) -> [String] {
        all.keys.compactMap { path in
            let parts = path.split(separator: "/").map(String.init)
            return parts.count == 3 && parts[0] == folder && parts[2] == file ? parts[1] : nil
        }.sorted()
    }
}
