import TributaryJSON

/// The address that an event carries.
package enum SentAddress: Equatable, Sendable {
    /// The event has none, so that of the connection counts.
    case none
    /// `ip` of its context; nil when the value is no text.
    case some(String?)
}

extension RequestScan {
    /// The members of items that `addresses` needs.
    package static let addressMembers: [StaticString] = ["context"]

    /// The address in each item: `ip` in its context; without one, that in the context of the batch.
    /// - Parameter form: that of the scan, which looked for `addressMembers`.
    package func addresses(_ form: RequestForm) -> [SentAddress] {
        let whole = envelope?["context"].map(address) ?? .none
        guard form == .batch else { return items.map { _ in whole } }
        return items.indices.map { index in
            guard objects.indices.contains(index), let context = objects[index]?["context"] else { return whole }
            let own = address(in: context)
            return own == .none ? whole : own
        }
    }

    private func address(in context: Range<Int>) -> SentAddress {
        guard bytes[context.lowerBound] == UInt8(ascii: "{"),
            let member = ScannedMember.all(of: context, in: bytes).last(where: { $0.key.isName("ip", in: bytes) })
        else { return .none }
        return .some(ScannedObject.json(member.value, bytes)?.stringValue)
    }
}
