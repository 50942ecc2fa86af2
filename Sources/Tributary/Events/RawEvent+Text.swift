import TributaryJSON

extension RawEvent {
    /// The members as they go on the wire, on one line.
    public func toString() -> String { toString(pretty: false) }

    /// The members as they go on the wire, on lines of their own, for people to read.
    public func prettyPrint() -> String { toString(pretty: true) }

    /// The members as they go on the wire.
    /// - Parameter pretty: whether each stands on a line of its own.
    public func toString(pretty: Bool) -> String { JSON.object(json).toString(pretty: pretty) }
}
