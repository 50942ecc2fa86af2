extension StringProtocol {
    /// Whether the text is empty or has only white space. Such a text is no id and no name, in every module of the
    /// client and in the workspace.
    public var isBlank: Bool {
        // Nearly every text begins with a visible ASCII character.
        if let first = utf8.first, first > 0x20, first < 0x7F { return false }
        return unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }
}
