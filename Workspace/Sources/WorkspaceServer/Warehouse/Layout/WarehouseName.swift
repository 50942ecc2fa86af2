import Crypto
import Foundation
import WorkspaceCore

/// Makes names of tables and columns from names of events and properties.
///
/// Source of the rules: the documents on warehouse schemas of Segment (`CamelCase` becomes `snake_case`, objects are
/// flattened with `_`) and of RudderStack (reserved words and leading digits get a `_`).
struct WarehouseNames {
    private var parts: [String: String] = [:]
    private var finished: [String: String] = [:]

    /// The clean form of one name; empty when it has no letter and no digit.
    mutating func part(_ name: String) -> String {
        if let known = parts[name] { return known }
        if parts.count >= Limits.warehouseNames { parts = [:] }
        let clean = Self.clean(name)
        parts[name] = clean
        return clean
    }

    /// A name that a query can use without quotes: of clean parts that are joined with `_`.
    mutating func finish(_ joined: String) -> String {
        if let known = finished[joined] { return known }
        if finished.count >= Limits.warehouseNames { finished = [:] }
        let name = Self.finish(joined)
        finished[joined] = name
        return name
    }

    /// The table of an event; nil when the event has no name.
    mutating func table(_ event: String) -> String? {
        guard !event.isEmpty else { return nil }
        let clean = part(event)
        // A name of other characters, such as 🎉, still has one table.
        guard !clean.isEmpty else { return "event_\(Self.digest(event))" }
        return WarehouseTable.names.contains(clean) ? "_\(clean)" : finish(clean)
    }

    /// Letters and digits of all scripts, in lower case, with `_` between words: `HTTPRequest2 Sent` is
    /// `http_request2_sent`.
    static func clean(_ name: String) -> String {
        let scalars = Array(name.precomposedStringWithCanonicalMapping.unicodeScalars)
        var clean = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            guard isLetter(scalar) else {
                if clean.last != nil, clean.last != "_" { clean.append("_") }
                continue
            }
            if begins(index, scalars), clean.last != nil, clean.last != "_" { clean.append("_") }
            clean.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
        }
        while clean.last == "_" { clean.removeLast() }
        return String(clean)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
        default: false
        }
    }

    /// Whether a word begins: at an upper case letter behind another one, or before the last of several.
    private static func begins(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        guard index > 0, scalars[index].properties.isUppercase else { return false }
        if !scalars[index - 1].properties.isUppercase { return true }
        return index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
    }

    private static func finish(_ clean: String) -> String {
        let isPlain = clean.first?.isNumber != true && !reserved.contains(clean)
        let name = isPlain ? clean : "_\(clean)"
        guard name.utf8.count > Limits.warehouseNameBytes else { return name }
        // Cut between characters, and with a digest, so that two long names stay two.
        var short = name
        while short.utf8.count > Limits.warehouseNameBytes - 9 { short.removeLast() }
        return "\(short)_\(digest(name))"
    }

    private static func digest(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).prefix(4).map { String(format: "%02x", $0) }.joined()
    }

    /// Names that cannot be used without quotes, and the hidden columns of each table.
    /// Source: PostgreSQL 15, Appendix C, the words that are reserved or reserved except as a function or type, and 5.5.
    private static let reserved = Set(
        """
        all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation \
        column concurrently constraint create cross current_catalog current_date current_role current_schema current_time \
        current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze \
        from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit \
        localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references \
        returning right select session_user similar some symmetric system_user table tablesample then to trailing true \
        union unique user using variadic verbose when where window with \
        cmax cmin ctid tableoid xmax xmin
        """.split(separator: " ").map(String.init))
}
