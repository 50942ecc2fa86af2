extension String {
    /// The text with a mark in place of each sign that could steer a terminal or deceive who reads it: control characters,
    /// line breaks, and marks that change the direction of writing. What others wrote is shown so.
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
