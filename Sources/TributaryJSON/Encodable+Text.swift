extension Encodable {
    /// The value's JSON text on one line, for people.
    public func toString() -> String { toString(pretty: false) }

    /// The value's JSON text with each member and element on a line of its own, for people.
    public func prettyPrint() -> String { toString(pretty: true) }

    /// The value's JSON text; the text of the error when it has none.
    /// - Parameter pretty: whether each member and element is on a line of its own.
    public func toString(pretty: Bool) -> String {
        do {
            return try JSON(with: self).toString(pretty: pretty)
        } catch {
            return "\(error)"
        }
    }
}
