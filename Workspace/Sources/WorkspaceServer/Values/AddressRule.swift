import TributaryJSON

/// What becomes of addresses in one request: decided when it comes, kept with it, the same each time it is indexed.
struct AddressRule: Sendable, Equatable {
    /// Never `asSent`: a request without a rule is stored as it is.
    let policy: AddressPolicy
    /// What is filled in where a client said nothing, shortened already if it has to be; nil for nothing.
    let address: String?

    /// Nil when nothing is to be done.
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

    /// Whether an event's text can be one that the rule changes.
    func concerns(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        policy != .drop || text.containsIPName
    }

    /// Applies the rule to an event.
    func apply(to event: inout JSONObject) {
        // What is no object has no address, and is not ours to replace.
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

    /// The text of an event that was not taken among the others, without what must not be kept. Of a text that nobody can
    /// read, nobody knows where the address is, so nothing of it is kept.
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
    /// Whether `"ip"` stands in it, also with escapes: a backslash counts as if it did.
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
