import Foundation

/// Makes names of a programming language out of the names and keys of events, each of them once.
struct CodeNames {
    /// How a name is written: a type as `OrderCompleted`, a member as `orderCompleted`.
    enum Form { case type, member }

    private static let longest = 80

    /// The names that were given, and the names that the language has.
    private var taken: Set<String>

    /// - Parameter reserved: names that mean something in the language or in the code around.
    init(reserved: Set<String>) { taken = reserved }

    /// A name for a text. A text without letters gets `otherwise`, and a name that is taken gets a number behind it.
    mutating func make(_ text: String, _ form: Form, otherwise: String) -> String {
        let words = Self.words(of: text)
        var name = words.isEmpty ? otherwise : Self.joined(words, form)
        // No language has names that begin with a digit.
        if name.first?.isNumber == true { name = otherwise + name }
        name = String(name.prefix(Self.longest))
        var unique = name
        var number = 2
        while !taken.insert(unique).inserted {
            unique = "\(name)\(number)"
            number += 1
        }
        return unique
    }

    /// The parts between signs that no language allows in a name.
    private static func words(of text: String) -> [Substring] {
        text.unicodeScalars.split { !isAllowed($0) }.map { Substring($0) }
    }

    /// Whether the languages all allow it in a name: letters of the basic plane, and digits.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .otherLetter:
            return scalar.value <= 0xFFFF && scalar.properties.isXIDStart
        default: return false
        }
    }

    private static func joined(_ words: [Substring], _ form: Form) -> String {
        let names = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        guard form == .member, let first = words.first else { return names.joined() }
        // A word of capitals, such as ID, becomes small as a whole.
        let isCapitals = first.allSatisfy { !$0.isLowercase }
        let small = isCapitals ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        return ([small] + names.dropFirst()).joined()
    }
}

/// Texts as parts of generated code.
enum CodeText {
    /// A text as the content of a literal. `escape` writes a character that must not stand there as it is.
    static func literal(_ text: String, special: String, escape: (Unicode.Scalar) -> String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            if special.unicodeScalars.contains(scalar) {
                literal += "\\"
                literal.unicodeScalars.append(scalar)
            } else if isShown(scalar) {
                literal.unicodeScalars.append(scalar)
            } else {
                literal += escape(scalar)
            }
        }
        return literal + "\""
    }

    /// A character as escapes of its UTF-16, such as `\u2028`.
    static func codeUnits(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { String(format: "\\u%04x", $0) }.joined()
    }

    /// A text on one line, for a comment. It cannot end the comment, and has no marks that change how a line looks.
    static func comment(_ text: String) -> String {
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.map { isShown($0) ? $0 : " " }))
        return shown.replacing("*/", with: "* /").replacing("/*", with: "/ *")
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
        default: true
        }
    }
}
