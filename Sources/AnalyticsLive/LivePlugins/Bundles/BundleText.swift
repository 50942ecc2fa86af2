import TributaryRules

/// The parts of a bundle: a first line with tables or with the plugins as data, if there is one, and the author's script.
///
/// The line with tables is JavaScript and defines `tables`. It runs as a script of its own, so that the author's script keeps
/// its line numbers, its source map and a "use strict" at its beginning.
package struct BundleText: Sendable {
    /// The beginning of a line with tables.
    package static let mark = "/*tributary tables "

    /// The line with tables, with its end; nil for a bundle without tables.
    package let tables: String?
    /// The JSON text of the plugins as data; nil for a bundle without.
    package let data: Substring?
    /// The author's script.
    package let code: String

    package init(_ source: String) {
        let bytes = source.utf8
        guard bytes.starts(with: Self.mark.utf8) else {
            let parts = RuleProgram.parts(of: source)
            (tables, data, code) = (nil, parts.data, String(parts.script))
            return
        }
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")).map { bytes.index(after: $0) } ?? bytes.endIndex
        (tables, data, code) = (String(source[..<end]), nil, String(source[end...]))
    }
}
