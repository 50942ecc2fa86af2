/// An object that many documents have a copy of, with its text, so that it is written once.
package struct RenderedObject: Sendable {
    package let object: JSONObject
    fileprivate let text: [UInt8]

    package init(_ object: JSONObject) {
        self.object = object
        text = JSON.object(object).encoded()
    }
}

extension JSONObject {
    /// The JSON text as UTF-8 on one line. A member that is an unchanged copy of the known object is not written again.
    /// Nil when it is nested deeper than that.
    /// - Parameter extra: a member that stands at the end, unless there is one of that name.
    package func encoded(
        knowing known: RenderedObject?, adding extra: (key: String, value: RenderedObject)? = nil, depth: Int = .max
    ) -> [UInt8]? {
        var sink = ByteSink(capacity: 1024, depthLimit: depth - 1)
        sink.append(UInt8(ascii: "{"))
        members.withUnsafeBufferPointer { members in
            for position in members.indices {
                if position > 0 { sink.append(UInt8(ascii: ",")) }
                sink.write(.string(members[position].key))
                sink.append(UInt8(ascii: ":"))
                if let known, case .object(let object) = members[position].value, object.isCopy(of: known.object) {
                    known.text.withUnsafeBufferPointer { sink.append($0) }
                } else {
                    sink.write(members[position].value)
                }
            }
        }
        if let extra, self[extra.key] == nil {
            if !isEmpty { sink.append(UInt8(ascii: ",")) }
            sink.write(.string(extra.key))
            sink.append(UInt8(ascii: ":"))
            extra.value.text.withUnsafeBufferPointer { sink.append($0) }
        }
        sink.append(UInt8(ascii: "}"))
        return sink.isTooDeep ? nil : Array(sink.bytes)
    }

    /// Whether both have their members in one place in memory: whoever changes one of them gets a place of its own, and
    /// the place cannot be given away while either is there.
    private func isCopy(of other: JSONObject) -> Bool {
        guard count == other.count, count > 0 else { return false }
        return members.withUnsafeBufferPointer { mine in
            other.members.withUnsafeBufferPointer { mine.baseAddress == $0.baseAddress }
        }
    }
}
