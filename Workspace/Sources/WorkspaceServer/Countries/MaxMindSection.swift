import WorkspaceCore

/// Values in MaxMind's format: the data of a database, or its description. Every byte may be wrong, so every place is
/// checked, and no value is read for longer than its bound.
struct MaxMindSection: Sendable {
    /// The whole file.
    let bytes: [UInt8]
    /// The section in it. Pointers count from its beginning.
    let range: Range<Int>

    /// The kind of a value, as far as it matters here. The numbers are those of the format.
    private enum Kind: Int {
        case pointer = 1
        case text = 2
        case map = 7
        case array = 11
        case bool = 14
    }

    /// A value without its content.
    private struct Head {
        /// Nil for kinds that are only passed: numbers, bytes.
        let kind: Kind?
        /// Bytes of the content; entries of a map, elements of an array.
        let size: Int
        /// Where the content begins; of a pointer, where it points to.
        let content: Int
        /// Where the content ends; of a map, an array or a pointer, where the next value in the file begins.
        let end: Int
    }

    /// The place of a member of a map.
    /// - Parameter map: the place of the map.
    /// - Returns: nil when there is none, and when the map cannot be read.
    func member(_ name: StaticString, of map: Int) -> Int? {
        guard let head = value(at: map), head.kind == .map else { return nil }
        var (place, values) = (head.content, 0)
        for _ in 0..<head.size {
            guard let key = value(at: place), key.kind == .text, let behind = end(place, &values) else { return nil }
            if isText(key, name) { return behind }
            guard let next = end(behind, &values) else { return nil }
            place = next
        }
        return nil
    }

    /// The bytes of a text; nil when there is none at that place.
    func text(at place: Int) -> ArraySlice<UInt8>? {
        guard let head = value(at: place), head.kind == .text else { return nil }
        return bytes[head.content..<head.end]
    }

    /// A number without a sign; nil when there is none, or none of at most 8 bytes, at that place.
    func number(at place: Int) -> UInt64? {
        guard let head = value(at: place), head.kind == nil, head.size <= 8 else { return nil }
        return bytes[head.content..<head.end].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func isText(_ head: Head, _ text: StaticString) -> Bool {
        text.utf8CodeUnitCount == head.size
            && UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
                .elementsEqual(bytes[head.content..<head.end])
    }

    /// The value at a place, or that to which the pointer there points. A pointer never points to another one.
    private func value(at place: Int) -> Head? {
        guard let head = head(at: place) else { return nil }
        guard head.kind == .pointer else { return head }
        guard let target = self.head(at: head.content), target.kind != .pointer else { return nil }
        return target
    }

    /// Where the value behind the one at a place begins.
    /// - Parameter values: how many were passed, which has a bound.
    private func end(_ place: Int, _ values: inout Int) -> Int? {
        var (place, left) = (place, 1)
        while left > 0 {
            values += 1
            guard values <= Limits.countryRecordValues, let head = head(at: place) else { return nil }
            left -= 1
            switch head.kind {
            case .map: left += 2 * head.size
            case .array: left += head.size
            default: break
            }
            place = head.end
        }
        return place
    }

    private func head(at place: Int) -> Head? {
        var next = place
        guard let control = byte(&next) else { return nil }
        var kind = Int(control >> 5)
        if kind == Kind.pointer.rawValue { return pointer(control, next) }
        if kind == 0 {
            guard let extended = byte(&next) else { return nil }
            kind = Int(extended) + 7
        }
        guard let size = size(control, &next) else { return nil }
        let known = Kind(rawValue: kind)
        switch known {
        case .map, .array, .bool: return Head(kind: known, size: size, content: next, end: next)
        case .pointer, .text, nil:
            guard next <= range.upperBound, size <= range.upperBound - next else { return nil }
            return Head(kind: known, size: size, content: next, end: next + size)
        }
    }

    /// Sizes from 29 on have their rest in the next one, two or three bytes.
    private func size(_ control: UInt8, _ next: inout Int) -> Int? {
        let short = Int(control & 0x1F)
        guard short >= 29 else { return short }
        guard let more = number(short - 28, &next) else { return nil }
        return more + [29, 285, 65_821][short - 29]
    }

    private func pointer(_ control: UInt8, _ place: Int) -> Head? {
        let form = Int(control >> 3 & 3)
        var next = place
        guard let low = number(form + 1, &next) else { return nil }
        // Three bits of a short pointer are in its first byte.
        let high = form == 3 ? 0 : Int(control & 7) << (8 * (form + 1))
        let target = range.lowerBound + (high | low) + [0, 2_048, 526_336, 0][form]
        return Head(kind: .pointer, size: 0, content: target, end: next)
    }

    private func number(_ count: Int, _ next: inout Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let byte = byte(&next) else { return nil }
            number = number << 8 | Int(byte)
        }
        return number
    }

    private func byte(_ next: inout Int) -> UInt8? {
        guard range.contains(next) else { return nil }
        defer { next += 1 }
        return bytes[next]
    }
}
