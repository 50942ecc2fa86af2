/// An object of which many documents contain a copy, with its text, so that it is written once.
package struct RenderedObject: Sendable {
    package let object: JSONObject
    fileprivate let text: [UInt8]

    package init(_ object: JSONObject) {
        self.object = object
        text = JSON.object(object).encoded()
    }
}

/// An object and its text. An object with the same first members has the same beginning of its text.
package struct WrittenObject: Sendable {
    fileprivate let object: JSONObject
    fileprivate let text: ArraySlice<UInt8>

    /// - Parameter text: the result of writing the object, and nothing else.
    package init(_ object: JSONObject, text: ArraySlice<UInt8>) {
        self.object = object
        self.text = text
    }
}

extension JSONObject {
    /// The JSON text as UTF-8 on one line. A member that is an unchanged copy of the known object is not written again.
    /// Nil when it is nested deeper than that.
    /// - Parameters:
    ///   - written: an object that this one may continue; its depth is not checked again.
    ///   - extra: a member to append, unless there is one with that name.
    package func encoded(
        knowing known: RenderedObject?, continuing written: WrittenObject? = nil,
        adding extra: (key: String, value: RenderedObject)? = nil, depth: Int = .max
    ) -> [UInt8]? {
        var sink = ByteSink(capacity: 1024, depthLimit: depth - 1)
        var start = 0
        if let written, begins(with: written.object) {
            start = written.object.count
            written.text.dropLast().withUnsafeBufferPointer { sink.append($0) }
        } else {
            sink.append(UInt8(ascii: "{"))
        }
        members.withUnsafeBufferPointer { members in
            for position in start..<members.count {
                if position > 0 { sink.append(UInt8(ascii: ",")) }
                sink.writeQuoted(members[position].key)
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
            sink.writeQuoted(extra.key)
            sink.append(UInt8(ascii: ":"))
            extra.value.text.withUnsafeBufferPointer { sink.append($0) }
        }
        sink.append(UInt8(ascii: "}"))
        return sink.isTooDeep ? nil : Array(sink.bytes)
    }

    /// Whether the first members are the members of the other object, the same in memory. A member that was changed is
    /// elsewhere in memory, because the other object's members are never changed in place. Members that only look the
    /// same count as changed.
    private func begins(with other: JSONObject) -> Bool {
        let (keySize, valueSize) = (MemoryLayout<String>.size, MemoryLayout<JSON>.size)
        guard !other.isEmpty, count >= other.count, MemoryLayout<Slot>.size == keySize + valueSize else {
            return false
        }
        return members.withUnsafeBytes { mine in
            other.members.withUnsafeBytes { theirs in
                for position in 0..<other.count {
                    let start = position * MemoryLayout<Slot>.stride
                    guard Self.isSame(mine, theirs, start, keySize + valueSize) else { return false }
                }
                return true
            }
        }
    }

    private static func isSame(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ start: Int, _ size: Int
    ) -> Bool {
        var offset = start
        while offset + 8 <= start + size {
            guard
                left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            else { return false }
            offset += 8
        }
        while offset < start + size {
            guard left[offset] == right[offset] else { return false }
            offset += 1
        }
        return true
    }

    /// Whether both have their members at the same place in memory. A change moves the members to a place of their own,
    /// and the place is not reused while either object exists.
    private func isCopy(of other: JSONObject) -> Bool {
        guard count == other.count, count > 0 else { return false }
        return members.withUnsafeBufferPointer { mine in
            other.members.withUnsafeBufferPointer { mine.baseAddress == $0.baseAddress }
        }
    }
}
