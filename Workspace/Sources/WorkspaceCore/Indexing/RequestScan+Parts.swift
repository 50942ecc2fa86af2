import TributaryJSON

extension RequestScan {
    /// The members of items that `devices` needs.
    package static let deviceMembers: [StaticString] = ["anonymousId", "userId"]

    /// The device of each item: the anonymous id, without one the user id; of a trace the message id, because a trace
    /// names no device. Nil for an item without these.
    /// - Parameter form: that of the scan, which looked for `deviceMembers`.
    package func devices(_ form: RequestForm) -> [String?] {
        let names = form == .traces ? ["messageId"] : Self.deviceMembers
        return items.indices.map { index in
            guard let item = objects.indices.contains(index) && form == .batch ? objects[index] : item(index, names)
            else { return nil }
            return names.lazy.compactMap { item.text($0) }.first { !$0.isBlank }
        }
    }

    func item(_ index: Int, _ names: [StaticString]) -> ScannedObject? {
        var scanner = JSONScanner(bytes, at: items[index].lowerBound, depth: JSONLimits.eventDepth, passesDeeper: true)
        return scanner.peek == UInt8(ascii: "{") ? try? ScannedObject(&scanner, names) : nil
    }

    /// A body with some of the items, and with all that holds for every item.
    package func body(_ form: RequestForm, items chosen: [Int]) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(chosen.reduce(256) { $0 + items[$1].count + 1 })
        if let key = form.itemsKey {
            body.append(UInt8(ascii: "{"))
            for name in ["sentAt", "context", "integrations"] as [StaticString] {
                guard let range = envelope?[name] else { continue }
                body += Array("\"\(name)\":".utf8) + bytes[range] + [UInt8(ascii: ",")]
            }
            body += Array("\"\(key)\":".utf8)
        }
        body.append(UInt8(ascii: "["))
        for (position, index) in chosen.enumerated() {
            if position > 0 { body.append(UInt8(ascii: ",")) }
            body += bytes[items[index]]
        }
        body.append(UInt8(ascii: "]"))
        if form.itemsKey != nil { body.append(UInt8(ascii: "}")) }
        return body
    }
}
