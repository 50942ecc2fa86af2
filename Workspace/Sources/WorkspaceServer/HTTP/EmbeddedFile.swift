import NIOCore
import WorkspaceCore
import WorkspaceFiles

/// A file of `Workspace/Page` or `Workspace/OpenAPI`, which is part of the program.
struct EmbeddedFile: Sendable {
    let content: WebContent

    var text: String { String(buffer: content.plain) }

    /// All files by their paths: those of the page from its folder on.
    static let all: [String: EmbeddedFile] = {
        var count = 0
        let files = workspace_files(&count)
        var all: [String: EmbeddedFile] = [:]
        for file in UnsafeBufferPointer(start: files, count: count) {
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
            all[String(cString: file.name)] = EmbeddedFile(content: WebContent(bytes))
        }
        return all
    }()

    static func named(_ name: String) throws(Refusal) -> EmbeddedFile {
        guard let file = all[name] else { throw .notFound("there is no file \(name)") }
        return file
    }
}
