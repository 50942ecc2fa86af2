extension Limits {
    /// Saved questions of a workspace, and those on its board.
    static let views = 200
    static let boardViews = 24
    package static let viewNameLength = 100
    /// Links that show the board.
    static let boardLinks = 100
    /// Bytes of the query of a saved question, as it is stored.
    static let viewQuery = 8_192
}
