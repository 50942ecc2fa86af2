extension String {
    /// A form of the text that is safe to show. A mark replaces each sign that could control a terminal or deceive the
    /// reader: control characters, line breaks, and marks that change the direction of writing.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { Self.isPlain($0) ? $0 : "\u{FFFD}" }))
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }
}
