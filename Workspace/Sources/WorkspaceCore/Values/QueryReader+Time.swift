extension QueryReader {
    /// A time as events have it, or milliseconds since 1970; nil when it is missing or empty.
    package func time(_ name: String) throws(Refusal) -> Int64? {
        guard let text = text(name) else { return nil }
        guard let time = EventTime.milliseconds(text) ?? Int64(text) else {
            throw .invalid("\(name) must be a time such as 2026-11-21T08:00:00Z, or a day")
        }
        return time
    }
}
