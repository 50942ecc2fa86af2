package import TributaryJSON

/// How the address policy applies to one request. The server decides it when the request arrives and stores it with the
/// request, so that indexing the request again gives the same events.
package struct AddressRule: Sendable, Equatable {
    /// Never `asSent`: a request without a rule is stored as it is.
    package let policy: AddressPolicy
    /// The address that is added to events without one, shortened when the policy says so; nil to add none.
    package let address: String?

    /// Nil for the policy `asSent`, which changes nothing.
    /// - Parameter connection: the address that the request came from.
    package init?(_ policy: AddressPolicy, connection: String?) {
        self.policy = policy
        switch policy {
        case .asSent: return nil
        case .keep: address = connection
        case .truncate: address = connection.flatMap(AddressPolicy.network)
        case .drop: address = nil
        }
    }

    package init(policy: AddressPolicy, address: String?) { (self.policy, self.address) = (policy, address) }

    /// Whether the rule may change an event with this text. False needs no parsing.
    func concerns(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        policy != .drop || text.containsIPName
    }

    /// The effect of the rule on the address of an event.
    package enum Change: Equatable {
        case none
        case set(String)
        case remove
    }

    /// - Parameter sent: the value of `ip` in the context of the event or its batch; nil when there is none.
    package func change(_ sent: JSON?) -> Change {
        switch policy {
        case .asSent: return .none
        case .keep: return sent == nil ? address.map(Change.set) ?? .none : .none
        case .truncate:
            guard let sent else { return address.map(Change.set) ?? .none }
            return sent.stringValue.flatMap(AddressPolicy.network).map(Change.set) ?? .remove
        case .drop: return sent == nil ? .none : .remove
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the text contains `"ip"`. An escape could spell it too, so a text with a backslash counts.
    var containsIPName: Bool {
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
