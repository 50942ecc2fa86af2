import Crypto
import Foundation
import WorkspaceCore

/// A document of the page as browsers get it. The addresses of its files name their version, so browsers keep the files, and
/// it names all modules that it needs, so browsers ask for them at once.
enum PageDocument {
    /// A digest of the content of all files of the page.
    static let version: String = {
        let files = EmbeddedFile.all.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.content.digest)" }
        return String(SHA256.hash(data: Data(files.joined(separator: "\n").utf8)).hexadecimal.prefix(16))
    }()

    /// The modules that each module imports at once. It may load others later.
    private static let imports = EmbeddedFile.all.filter { $0.key.hasSuffix(".js") }.map { name, file in
        (name, file.text.matches(of: /from '(\.[^']+)'/).map { path(String($0.1), from: name) })
    }.reduce(into: [String: [String]]()) { $0[$1.0] = $1.1 }

    private static func path(_ specifier: String, from module: String) -> String {
        let folder = module.prefix { $0 != "/" }
        return specifier.hasPrefix("../") ? String(specifier.dropFirst(3)) : "\(folder)/\(specifier.dropFirst(2))"
    }

    /// All modules that some modules need, with these.
    static func modules(for entries: [String]) -> [String] {
        var (found, next) = (Set<String>(), entries)
        while let name = next.popLast() {
            if found.insert(name).inserted { next += imports[name] ?? [] }
        }
        return found.sorted()
    }

    /// - Parameter entries: the modules that the document begins with.
    static func text(_ name: String, entries: [String]) throws(Refusal) -> String {
        let links = modules(for: entries).map {
            #"  <link rel="modulepreload" href="/page/\#(version)/\#($0)">"# + "\n"
        }
        return try EmbeddedFile.named(name).text.replacing(#""/page/"#, with: #""/page/\#(version)/"#)
            .replacing("</head>", with: links.joined() + "</head>")
    }
}
