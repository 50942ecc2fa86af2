/// Explains in the inspector why an event's `timestamp` could not be read.
enum TimeProblem {
    private static let timestamp: StaticString = "timestamp"

    /// - Parameter body: the event as it is stored.
    /// - Returns: nil when the event has no `timestamp` or a readable one.
    static func of(_ body: [UInt8]) -> String? {
        body.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            // The body was parsed before it was stored, so this does not fail.
            guard let object = try? ScannedObject(&scanner, [timestamp]), let range = object.value(timestamp),
                object.json(timestamp).flatMap(EventTime.milliseconds) == nil
            else { return nil }
            let excerpt = String(decoding: bytes[range].prefix(Limits.timeBytes), as: UTF8.self)
            return "timestamp is \(excerpt), which is no time of a known form; the time of arrival stands for it"
        }
    }
}
