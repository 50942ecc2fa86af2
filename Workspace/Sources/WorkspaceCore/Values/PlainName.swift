/// Rules for names that people give. Names are shown in lists, logs and terminals.
package enum PlainName {
    package static let rule = "no control character, no line break and no mark that changes the direction of writing"

    /// Allows joiners, because some scripts and emoji need them.
    package static func isPlain(_ text: some StringProtocol) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
            case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
            default: true
            }
        }
    }

    /// A form of a text that is safe to show: a mark replaces each sign that a name must not have.
    package static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isPlain(String($0)) ? $0 : "\u{FFFD}" }))
    }

    /// - Throws: 400 that names what the name is for.
    package static func check(_ name: String, of what: String, atMost length: Int) throws(Refusal) {
        guard (1...length).contains(name.count), isPlain(name) else {
            throw .invalid("the name of \(what) has 1 to \(length) characters, \(rule)")
        }
    }
}
