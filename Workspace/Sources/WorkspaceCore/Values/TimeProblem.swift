/// Explains in the inspector why an event's `timestamp` could not be read.
enum TimeProblem {
    /// The members that say when an event happened, in the order in which they are looked at.
    private static let names: [StaticString] = ["timestamp", "originalTimestamp"]

    /// Whether an event says a time and none that can be read.
    /// - Parameter object: with the names of times.
    static func isIn(_ object: ScannedObject) -> Bool {
        names.contains { object.value($0) != nil }
            && !names.contains { object.json($0).flatMap(EventTime.milliseconds) != nil }
    }

    /// - Parameter body: the event as it is stored.
    /// - Returns: nil when the event has no time or a readable one.
    static func of(_ body: [UInt8]) -> String? {
        body.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            // The body was parsed before it was stored, so this does not fail.
            guard let object = try? ScannedObject(&scanner, names), isIn(object),
                let name = names.first(where: { object.value($0) != nil }), let range = object.value(name)
            else { return nil }
            let excerpt = String(decoding: bytes[range].prefix(Limits.timeBytes), as: UTF8.self)
            return "\(name) is \(excerpt), which is no time of a known form; the time of arrival stands for it"
        }
    }
}
