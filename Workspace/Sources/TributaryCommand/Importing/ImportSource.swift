import TributaryJSON

/// A file of events, read one by one.
protocol ImportSource {
    /// The share of the file that has been read, from 0 to 1.
    var share: Double { get }
    mutating func next() throws(Failure) -> ImportItem?
    func close()
}

/// The result of reading one line.
struct ImportItem {
    enum Content {
        case event(JSONObject)
        /// Why the line is not an event.
        case unreadable(String)
    }

    /// The line where the event began, counted from 1.
    let line: Int
    let content: Content
}
