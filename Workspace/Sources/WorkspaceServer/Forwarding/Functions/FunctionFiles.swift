import WorkspaceFiles

/// The files of destination functions that are part of the program.
package enum FunctionFiles {
    /// The script that destination functions find there.
    package static let prelude = files["prelude.js"] ?? ""

    /// The names of the templates.
    package static let templates = files.keys.compactMap { name in
        name.hasSuffix("/function.js") ? String(name.dropLast("/function.js".count)) : nil
    }.sorted()

    /// The code of a template; nil when there is none of that name.
    package static func code(ofTemplate name: String) -> String? { files["\(name)/function.js"] }

    /// The test vectors of a template; nil when there is none of that name.
    package static func vectors(ofTemplate name: String) -> String? { files["\(name)/vectors.json"] }

    private static let files: [String: String] = {
        var count = 0
        let list = workspace_function_files(&count)
        var files: [String: String] = [:]
        for file in UnsafeBufferPointer(start: list, count: count) {
            let bytes = UnsafeBufferPointer(start: file.bytes, count: file.length)
            files[String(cString: file.name)] = String(decoding: bytes, as: UTF8.self)
        }
        return files
    }()
}
