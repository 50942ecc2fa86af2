import TributaryJSON

/// A file of events, read one by one.
protocol ImportSource {
    /// What part of the file has been read, from 0 to 1.
    var share: Double { get }
    mutating func next() throws(Failure) -> ImportItem?
    func close()
}

/// What one line of a file became.
struct ImportItem {
    enum Content {
        case event(JSONObject)
        /// Why it is no event.
        case unreadable(String)
    }

    /// Counted from 1; where the event began.
    let line: Int
    let content: Content
}
