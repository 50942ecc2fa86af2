import TributaryJSON

/// How the address policy applies to one request. The server decides it when the request arrives and stores it with the
/// request, so that indexing the request again gives the same events.
struct AddressRule: Sendable, Equatable {
    /// Never `asSent`: a request without a rule is stored as it is.
    let policy: AddressPolicy
    /// The address that is added to events without one, shortened when the policy says so; nil to add none.
    let address: String?

    /// Nil for the policy `asSent`, which changes nothing.
    /// - Parameter connection: the address that the request came from.
    init?(_ policy: AddressPolicy, connection: String?) {
        self.policy = policy
        switch policy {
        case .asSent: return nil
        case .keep: address = connection
        case .truncate: address = connection.flatMap(AddressPolicy.network)
        case .drop: address = nil
        }
    }

    init(policy: AddressPolicy, address: String?) {
        self.policy = policy
        self.address = address
    }

    /// Whether the rule may change an event with this text. False needs no parsing.
    func concerns(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        policy != .drop || text.containsIPName
    }

    /// Applies the rule to an event.
    func apply(to event: inout JSONObject) {
        // A `context` that is not an object holds no address, and the rule does not replace it.
        guard event["context"] == nil || event["context"]?.objectValue != nil else { return }
        var context = event["context"]?.objectValue ?? JSONObject()
        let sent = context["ip"]
        switch policy {
        case .asSent: return
        case .keep: if sent == nil, let address { context["ip"] = .string(address) }
        case .truncate:
            let said = sent.map { $0.stringValue.flatMap(AddressPolicy.network) } ?? address
            if let said { context["ip"] = .string(said) } else { context.removeValue(forKey: "ip") }
        case .drop: context.removeValue(forKey: "ip")
        }
        if event["context"] != nil || !context.isEmpty { event["context"] = .object(context) }
    }

    /// The text of a rejected event, with the rule applied. When the text is not JSON, the address cannot be found, so
    /// none of the text is kept.
    func applied(to text: [UInt8]) -> [UInt8] {
        guard text.withUnsafeBufferPointer({ $0.containsIPName }) else { return text }
        do {
            let limits = JSONLimits(depth: Limits.depth, bytes: text.count)
            guard var event = try JSON.parse(text, limits: limits).objectValue else { return text }
            apply(to: &event)
            return JSON.object(event).encoded()
        } catch {
            return Array("{}".utf8)
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the text contains `"ip"`. An escape could spell it too, so a text with a backslash counts.
    fileprivate var containsIPName: Bool {
        var index = startIndex
        while index < endIndex {
            if self[index] == UInt8(ascii: "\\") { return true }
            if self[index] == UInt8(ascii: "i"), index + 2 < endIndex, self[index + 1] == UInt8(ascii: "p"),
                self[index + 2] == UInt8(ascii: "\""), index > 0, self[index - 1] == UInt8(ascii: "\"")
            {
                return true
            }
            index += 1
        }
        return false
    }
}
