/// The two parts of a bundle: a first line with tables, if there is one, and the author's script.
///
/// The line with tables is JavaScript and defines `tables`. It runs as a script of its own, so that the author's script keeps
/// its line numbers, its source map and a "use strict" at its beginning.
package struct BundleText: Sendable {
    /// The beginning of a line with tables.
    package static let mark = "/*tributary tables "

    /// The line with tables, with its end; nil for a bundle without tables.
    package let tables: String?
    /// The author's script.
    package let code: String

    package init(_ source: String) {
        let bytes = source.utf8
        guard bytes.starts(with: Self.mark.utf8) else {
            (tables, code) = (nil, source)
            return
        }
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")).map { bytes.index(after: $0) } ?? bytes.endIndex
        (tables, code) = (String(source[..<end]), String(source[end...]))
    }
}
