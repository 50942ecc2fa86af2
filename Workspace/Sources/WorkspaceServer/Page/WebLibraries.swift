import Foundation
import NIOCore

/// The libraries of the page that the system has: an editor for code. They are no part of the program, and the page works
/// without them.
struct WebLibraries: Sendable {
    /// A file of a library.
    struct File: Sendable {
        let type: String
        let content: ByteBuffer
        let tag: EntityTag
    }

    /// The names under which the page loads files, with their paths in the folder.
    private static let codeMirror = [
        "codemirror.css": "codemirror/lib/codemirror.css",
        "codemirror.js": "codemirror/lib/codemirror.js",
        "javascript.js": "codemirror/mode/javascript/javascript.js",
        "matchbrackets.js": "codemirror/addon/edit/matchbrackets.js",
        "show-hint.css": "codemirror/addon/hint/show-hint.css",
        "show-hint.js": "codemirror/addon/hint/show-hint.js",
    ]
    /// The largest file that is taken.
    private static let fileBytes = 2 << 20

    private let files: [String: File]

    /// Reads the libraries. A library of which a file is missing is left out.
    /// - Parameter folder: the folder of the libraries; nil for none.
    init(folder: String?) {
        guard let folder else {
            files = [:]
            return
        }
        let found = Self.codeMirror.compactMapValues { Self.file(URL(filePath: folder).appending(path: $0)) }
        files = found.count == Self.codeMirror.count ? found : [:]
    }

    private static func file(_ url: URL) -> File? {
        guard let data = try? Data(contentsOf: url), data.count <= fileBytes else { return nil }
        let type = url.pathExtension == "css" ? "text/css" : "text/javascript"
        let bytes = [UInt8](data)
        return File(type: type, content: ByteBuffer(bytes: bytes), tag: EntityTag(of: bytes))
    }

    /// The names of the libraries that are there, with spaces between them.
    var names: String { files.isEmpty ? "" : "codemirror" }

    func named(_ name: String) throws(APIError) -> File {
        guard let file = files[name] else { throw .notFound("there is no file \(name)") }
        return file
    }
}
