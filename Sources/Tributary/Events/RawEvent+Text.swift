import TributaryJSON

extension RawEvent {
    /// The event's JSON on one line.
    public func toString() -> String { toString(pretty: false) }

    /// The event's JSON on several lines, for people to read.
    public func prettyPrint() -> String { toString(pretty: true) }

    /// The event's JSON.
    /// - Parameter pretty: whether each member is on a line of its own.
    public func toString(pretty: Bool) -> String { JSON.object(json).toString(pretty: pretty) }
}
