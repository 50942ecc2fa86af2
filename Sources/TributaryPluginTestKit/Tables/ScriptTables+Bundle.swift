import AnalyticsLive
import Foundation
import TributaryJSON

/// Tables in the text of a bundle: its first line, which is JavaScript and defines `tables`.
///
/// The line has a summary in a comment, a program and a text of JSON:
/// `/*tributary tables {"sku":{"entries":1,"bytes":12}}*/(function(text){…})('{"sku":{"A-1":"Shoes"}}');`
extension ScriptTables {
    /// Defines `tables` from a text of JSON.
    ///
    /// The engine reads a text of JSON several times faster than the same value as JavaScript. Own members only, so that a key
    /// such as `constructor` is a key like any other. A value is frozen when a script asks for it, because freezing all of them
    /// would take longer than reading them. The name can be defined again, as all names that scripts have.
    private static let program = """
        (function(text){"use strict";const{freeze,hasOwn,isFrozen,values}=Object,{isSafeInteger}=Number;\
        const all=JSON.parse(text);function close(value){if(isFrozen(value))return value;\
        for(const member of values(value))close(member);return freeze(value)}\
        function get(table,key){if(isSafeInteger(key))key=""+key;\
        if(typeof table!=="string"||typeof key!=="string"||!hasOwn(all,table))return;\
        const entries=all[table];if(hasOwn(entries,key))return close(entries[key])}\
        Object.defineProperty(globalThis,"tables",{value:freeze({get}),configurable:true})})
        """
    /// All programs that bundles may have. A version with another program keeps this one here, so that it reads earlier bundles.
    private static let programs = [program]
    /// Words for which clients search the whole text of a bundle. In a table they mean nothing, so their first letter is written
    /// as an escape.
    private static let searched = ["__tributary_", "Initial", "Refresh", "sourceMappingURL"]

    /// The text of a bundle with these tables.
    /// - Parameter code: the script, without tables.
    public func bundle(of code: String) -> String { line + code }

    /// The line that defines the tables, with its end; empty when there are none.
    var line: String {
        guard !isEmpty else { return "" }
        return "\(BundleText.mark)\(summary)*/\(Self.program)('\(Self.literal(json))');\n"
    }

    /// The summary of the tables, for people and for the page: entries and bytes by name.
    private var summary: JSON {
        var summary = JSONObject()
        for name in names {
            summary[name] = [
                "entries": .number(JSONNumber(entries(of: name).count)), "bytes": .number(JSONNumber(bytes(of: name))),
            ]
        }
        return .object(summary)
    }

    /// Divides the text of a bundle.
    /// - Throws: `Fault` when its first line has tables, and they exceed a limit or the line was changed by hand.
    public static func parts(of bundle: String) throws(Fault) -> (tables: ScriptTables, code: String) {
        let text = BundleText(bundle)
        guard let line = text.tables else { return (ScriptTables(), text.code) }
        return (try ScriptTables(line: line), text.code)
    }

    /// The script of a bundle, without its tables.
    public static func code(of bundle: String) -> String { BundleText(bundle).code }

    private init(line: String) throws(Fault) {
        self.init()
        let changed = Fault("the line with the tables was changed by hand; make the bundle again with --table", line: 1)
        var bytes = Array(line.utf8)
        while let last = bytes.last, [UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(last) { bytes.removeLast() }
        guard let read = Self.content(of: bytes[...]), case .object(let tables)? = read.tables else { throw changed }
        for (name, entries) in tables {
            guard case .object(let entries) = entries else { throw changed }
            do {
                try add(entries, named: name)
            } catch {
                throw Fault(error.message, line: 1)
            }
        }
        guard read.summary == summary else { throw changed }
    }

    /// The parts of a line with tables; nil when it has not the form of one.
    private static func content(of line: ArraySlice<UInt8>) -> (summary: JSON, tables: JSON?)? {
        let rest = line.dropFirst(BundleText.mark.utf8.count)
        guard let end = rest.firstIndex(of: UInt8(ascii: "*")),
            let summary = try? JSON.parse(Array(rest[..<end]), limits: JSONLimits(depth: 2))
        else { return nil }
        let begins = programs.map { Array("*/\($0)('".utf8) }
        guard let begin = begins.first(where: { rest[end...].starts(with: $0) }) else { return nil }
        let quoted = rest[end...].dropFirst(begin.count)
        let close = Array("');".utf8)
        guard quoted.count >= close.count, quoted.suffix(close.count).elementsEqual(close) else { return nil }
        guard let text = unquoted(quoted.dropLast(close.count)) else { return nil }
        return (summary, try? JSON.parse(text, limits: JSONLimits(depth: Limits.depth + 2)))
    }

    // MARK: Texts of JavaScript

    /// The content of a JavaScript text in single quotes.
    private static func literal(_ json: JSON) -> String {
        var bytes: [UInt8] = []
        let text = json.encoded()
        bytes.reserveCapacity(text.count)
        for byte in text {
            if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "'") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        var literal = String(decoding: bytes, as: UTF8.self)
        // They end a line for some readers of JavaScript.
        let replaced = [("\u{2028}", "\\u2028"), ("\u{2029}", "\\u2029")] + searched.map { ($0, escaped($0)) }
        for (part, escape) in replaced {
            literal = literal.replacingOccurrences(of: part, with: escape, options: .literal)
        }
        return literal
    }

    private static func escaped(_ word: String) -> String {
        (word.utf8.first.map { "\\x" + String($0, radix: 16) } ?? "") + word.dropFirst()
    }

    /// The text that a JavaScript text in single quotes means; nil for escapes that `literal` does not write.
    private static func unquoted(_ literal: ArraySlice<UInt8>) -> [UInt8]? {
        var text: [UInt8] = []
        text.reserveCapacity(literal.count)
        var position = literal.startIndex
        while position < literal.endIndex {
            let byte = literal[position]
            position += 1
            guard byte != UInt8(ascii: "'") else { return nil }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard position < literal.endIndex else { return nil }
            let escape = literal[position]
            position += 1
            switch escape {
            case UInt8(ascii: "\\"), UInt8(ascii: "'"): text.append(escape)
            case UInt8(ascii: "x"), UInt8(ascii: "u"):
                let digits = literal[position...].prefix(escape == UInt8(ascii: "x") ? 2 : 4)
                guard let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                    let scalar = Unicode.Scalar(code)
                else { return nil }
                text += Array(String(Character(scalar)).utf8)
                position += digits.count
            default: return nil
            }
        }
        return text
    }
}
