import Foundation
import TributaryJSON
import TributaryPluginTestKit
import WorkspaceCore

/// The text of a bundle: a JavaScript file, or the files of a folder one after the other.
///
/// A bundle of a folder ends with a source map, so that faults name the file in the folder, here and on devices. A bundle with
/// tables has them in its first line, and lines are counted behind it.
struct BundleFile {
    /// The path of the file or folder.
    let name: String
    let bytes: Data
    /// The source map of `--source-map`.
    let sourceMap: Data?
    /// For each line of a joined folder, where it comes from.
    private let origins: [String]

    /// - Parameters:
    ///   - sourceMap: the path of the source map of a generated file.
    ///   - tables: the files with tables. They replace tables of the same names that a file brings with it.
    ///   - kept: tables that stay, unless the file or `tables` has one of the same name.
    init(
        _ path: String, sourceMap: String? = nil, tables: TableOptions? = nil, kept: ScriptTables = ScriptTables()
    ) throws(Failure) {
        name = path
        guard InputFile.isFolder(path) else {
            let bytes = try InputFile.read(path)
            try Self.checkData(of: bytes, named: path, tables, kept)
            self.bytes = try Self.bundle(bytes, named: path, tables, kept)
            self.sourceMap = try Self.read(sourceMap)
            origins = []
            return
        }
        guard sourceMap == nil else { throw Failure("--source-map is for a file, and \(path) is a folder") }
        let (text, origins) = try Self.joined(path)
        self.bytes = try Self.bundle(Data(text.utf8), named: path, tables, kept)
        (self.sourceMap, self.origins) = (nil, origins)
    }

    /// - Throws: when a device would run something else than the script that people read, or would not find the data.
    private static func checkData(
        of bytes: Data, named name: String, _ options: TableOptions?, _ kept: ScriptTables
    ) throws(Failure) {
        guard let text = String(validating: bytes, as: UTF8.self), PluginData.hasData(text) else { return }
        guard PluginData.isFaithful(text) else {
            throw Failure(
                "the data in the first line of \(name.printable) is not what its script becomes; "
                    + "build it again with tributary plugin build --data")
        }
        guard kept.isEmpty, options?.tables.isEmpty ?? true else {
            throw Failure("\(name.printable) is data, which has no tables; deploy its script with them")
        }
    }

    /// A script with tables. A script that brings all its tables with it stays as it is.
    private static func bundle(
        _ script: Data, named name: String, _ options: TableOptions?, _ kept: ScriptTables
    ) throws(Failure) -> Data {
        let hasOptions = options.map { !$0.tables.isEmpty } ?? false
        guard hasOptions || !kept.isEmpty else { return script }
        guard let text = String(validating: script, as: UTF8.self) else { throw Failure("\(name) is not UTF-8") }
        let parts: (tables: ScriptTables, code: String)
        var all = kept
        do {
            parts = try ScriptTables.parts(of: text)
            try all.add(parts.tables)
        } catch {
            throw Failure("\(name.printable): \(error)")
        }
        if let options { all = try options.joined(with: all) }
        return Data(all.bundle(of: parts.code).utf8)
    }

    /// The place of a line of the text, for people.
    func place(ofLine line: Int?) -> String {
        guard let line else { return name }
        return origins.indices.contains(line - 1) ? origins[line - 1] : "\(name):\(line)"
    }

    /// The text as a script needs it.
    func source() throws(Failure) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure("\(name) is not UTF-8") }
        return text
    }

    private static func read(_ path: String?) throws(Failure) -> Data? {
        guard let path else { return nil }
        return try InputFile.read(path)
    }

    // MARK: Folders

    private static func joined(_ folder: String) throws(Failure) -> (text: String, origins: [String]) {
        let files: [String]
        do {
            files = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw Failure("\(folder) cannot be read: \(error.localizedDescription)")
        }
        let scripts = files.filter { $0.hasSuffix(".js") && !$0.hasPrefix(".") }.sorted()
        guard !scripts.isEmpty else { throw Failure("\(folder) has no file that ends with .js") }
        var lines: [String] = []
        var mappings: [String] = []
        var origins: [String] = []
        // The source and the line of the last segment: each segment says only the difference.
        var last = (source: 0, line: 0)
        for (number, file) in scripts.enumerated() {
            // A semicolon ends what the file before leaves open.
            lines.append("\(number == 0 ? "" : "; ")// \(file)")
            mappings.append("")
            origins.append("\(file):1")
            let text = try text(of: "\(folder)/\(file)")
            for (line, content) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                lines.append(String(content))
                origins.append("\(file):\(line + 1)")
                mappings.append(
                    [0, number - last.source, line - last.line, 0].map(Self.digits).joined())
                last = (number, line)
            }
        }
        let map: JSON = [
            "version": 3, "sources": .strings(scripts), "names": [],
            "mappings": .string(mappings.joined(separator: ";")),
        ]
        let encoded = Data(map.encoded()).base64EncodedString()
        let text = lines.joined(separator: "\n") + "\n//# sourceMappingURL=data:application/json;base64,\(encoded)\n"
        return (text, origins)
    }

    private static func text(of path: String) throws(Failure) -> String {
        guard var text = String(validating: try InputFile.read(path), as: UTF8.self) else {
            throw Failure("\(path) is not UTF-8")
        }
        if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
        guard !text.contains("//# sourceMappingURL=") else {
            throw Failure("\(path) is a generated file with a source map of its own; deploy it alone, or its sources")
        }
        guard ScriptTables.code(of: text).utf8.count == text.utf8.count else {
            throw Failure("\(path) is a bundle with tables; deploy it alone, or its script with --table")
        }
        while text.hasSuffix("\n") { text.removeLast() }
        return text
    }

    /// A number of a source map: digits in base 64, five bits each, the lowest first; the lowest bit is the sign.
    private static func digits(_ number: Int) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var rest = number < 0 ? (-number << 1) | 1 : number << 1
        var digits = ""
        repeat {
            let digit = rest & 31
            rest >>= 5
            digits.append(alphabet[rest > 0 ? digit | 32 : digit])
        } while rest > 0
        return digits
    }
}
