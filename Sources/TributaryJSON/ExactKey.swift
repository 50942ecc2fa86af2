/// A key that is compared byte by byte, as JSON and JavaScript do.
///
/// Swift's strings are equal when they are canonically equivalent. Two keys that differ only in that way would become
/// one.
struct ExactKey: Hashable {
    let text: String

    static func == (left: ExactKey, right: ExactKey) -> Bool { areSame(left.text, right.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Compares lengths first, which excludes most pairs.
    static func areSame(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        let result: Bool?? = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in haveSameBytes(left, right) }
        }
        // A string of Objective-C has no contiguous bytes.
        guard let result = result ?? nil else { return left.utf8.elementsEqual(right.utf8) }
        return result
    }

    /// Compares bytes, which is the order of Unicode's code points. Swift's own order is slower, because it considers
    /// letters with several spellings.
    static func isBefore(_ left: String, _ right: String) -> Bool {
        let result: Bool?? = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in isBefore(left, right) }
        }
        guard let result = result ?? nil else { return left.utf8.lexicographicallyPrecedes(right.utf8) }
        return result
    }

    private static func isBefore(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        let shared = min(left.count, right.count)
        let (leftBytes, rightBytes) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
        var position = 0
        while position + 8 <= shared {
            let leftWord = leftBytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let rightWord = rightBytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            if leftWord != rightWord { return UInt64(bigEndian: leftWord) < UInt64(bigEndian: rightWord) }
            position += 8
        }
        while position < shared {
            if left[position] != right[position] { return left[position] < right[position] }
            position += 1
        }
        return left.count < right.count
    }

    /// Eight bytes at a time, from buffers of one length.
    static func haveSameBytes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        let (left, right) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
        guard left.count == right.count else { return false }
        var position = 0
        while position + 8 <= left.count {
            let word = left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            guard word == right.loadUnaligned(fromByteOffset: position, as: UInt64.self) else { return false }
            position += 8
        }
        while position < left.count {
            guard left[position] == right[position] else { return false }
            position += 1
        }
        return true
    }
}
