import Crypto
import Foundation
import WorkspaceCore

/// The libraries of the page that the system has: an editor for code, and charts. They are no part of the program, and the page works
/// without them.
struct WebLibraries: Sendable {
    /// A file of a library.
    struct File: Sendable {
        let type: String
        let content: WebContent
    }

    /// Each library with the names under which the page loads its files, and their paths in the folder.
    private static let known = ["chart.js": chart, "codemirror": codeMirror]
    /// Older versions, which the page cannot use, have another name.
    private static let chart = ["chart.js": "chart.js/chart.min.js"]
    private static let codeMirror = [
        "codemirror.css": "codemirror/lib/codemirror.css",
        "codemirror.js": "codemirror/lib/codemirror.js",
        "javascript.js": "codemirror/mode/javascript/javascript.js",
        "matchbrackets.js": "codemirror/addon/edit/matchbrackets.js",
        "show-hint.css": "codemirror/addon/hint/show-hint.css",
        "show-hint.js": "codemirror/addon/hint/show-hint.js",
        "sql.js": "codemirror/mode/sql/sql.js",
    ]
    /// The largest file that is taken.
    private static let fileBytes = 2 << 20

    private let files: [String: File]
    /// The names of the libraries that are there, with spaces between them.
    let names: String
    /// A digest of the content of all files.
    let version: String

    /// Reads the libraries. A library of which a file is missing is left out.
    /// - Parameter folder: the folder of the libraries; nil for none.
    init(folder: String?) {
        var (files, names) = ([String: File](), [String]())
        for (name, paths) in Self.known.sorted(by: { $0.key < $1.key }) {
            guard let folder else { break }
            let found = paths.compactMapValues { Self.file(URL(filePath: folder).appending(path: $0)) }
            guard found.count == paths.count else { continue }
            files.merge(found) { first, _ in first }
            names.append(name)
        }
        (self.files, self.names) = (files, names.joined(separator: " "))
        let digests = files.sorted { $0.key < $1.key }.map(\.value.content.digest).joined()
        version = String(SHA256.hash(data: Data(digests.utf8)).hexadecimal.prefix(16))
    }

    private static func file(_ url: URL) -> File? {
        guard let data = try? Data(contentsOf: url), data.count <= fileBytes else { return nil }
        let type = url.pathExtension == "css" ? "text/css" : "text/javascript"
        let bytes = [UInt8](data)
        return File(type: type, content: WebContent(bytes))
    }

    func named(_ name: String) throws(Refusal) -> File {
        guard let file = files[name] else { throw .notFound("there is no file \(name)") }
        return file
    }
}
