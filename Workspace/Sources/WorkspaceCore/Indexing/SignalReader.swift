import TributaryJSON

/// Reads signals. They arrive as events with a name of their own, or unchanged from a webhook.
struct SignalReader {
    /// The name of the events that carry signals.
    static let eventName = "Segment Signal Generated"

    let receivedAt: Int64

    /// The signal in an event; nil when the event is not a signal.
    func read(_ event: IncomingEvent) -> IncomingSignal? {
        // An event that has the name and cannot be read as a signal is stored as an event.
        guard event.type == .track, event.name == Self.eventName, let signal = Self.properties(of: event.body),
            let type = Self.type(of: signal)
        else { return nil }
        return make(signal, type, event.messageId, timestamp: event.times.timestamp)
    }

    /// Reads a signal in the array of a webhook.
    ///
    /// A webhook without an answer is sent again, perhaps together with other signals. The signal's content therefore
    /// decides whether it is the same signal.
    func read(_ item: JSON, madeId: String) throws(Rejection) -> IncomingSignal {
        guard item.objectValue != nil else { throw Rejection(.notAnObject, "a signal must be a JSON object") }
        guard let type = Self.type(of: item) else {
            throw Rejection(.unknownType, "the type of a signal is one of \(Self.types)")
        }
        let time = item["timestamp"].flatMap(EventTime.milliseconds)
        var id = madeId
        if let anonymousId = item["anonymousId"]?.stringValue, let index = item["index"]?.intValue, let time {
            id = String("signal-\(index)-\(time)-\(anonymousId)".prefix(Limits.messageIdLength))
        }
        let signal = make(item, type, id, timestamp: time ?? receivedAt)
        guard signal.body.count <= Limits.signalBytes else {
            throw Rejection(
                .tooLarge, "a signal has \(signal.body.count) bytes, at most \(Limits.signalBytes) are taken")
        }
        return signal
    }

    private static func properties(of body: [UInt8]) -> JSON? {
        body.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            // The event was read before, so this does not fail.
            let object = try? ScannedObject(&scanner, ["properties"])
            return object?.json("properties")
        }
    }

    private func make(_ json: JSON, _ type: SignalType, _ id: String, timestamp: Int64) -> IncomingSignal {
        IncomingSignal(
            messageId: id, type: type, anonymousId: json["anonymousId"]?.stringValue,
            index: json["index"]?.intValue.map { Int64($0) }, timestamp: timestamp, body: json.encoded())
    }

    private static func type(of signal: JSON) -> SignalType? {
        signal["type"]?.stringValue.flatMap(SignalType.init(rawValue:))
    }

    private static let types = SignalType.allCases.map(\.rawValue).joined(separator: ", ")
}
