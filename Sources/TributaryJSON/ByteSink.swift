/// A growing buffer of bytes. An array would check at every append whether it is shared.
struct ByteSink: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var count = 0
    private var capacity: Int
    /// The limit of nested arrays and objects; below, how many are open now and whether there were more.
    private let depthLimit: Int
    private var depth = 0
    private(set) var isTooDeep = false

    init(capacity: Int, depthLimit: Int = .max) {
        self.depthLimit = depthLimit
        self.capacity = max(capacity, 32)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// Everything written so far.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count += 1
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    /// Appends a string in quotes, eight bytes at a time. Returns false, without appending, when a byte needs an escape
    /// or a check.
    mutating func appendQuoted(clean bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let size = bytes.count
        reserve(size + 2)
        // The room was just reserved: the copy ends at `size`, and the closing quote follows.
        let from = UnsafeRawBufferPointer(bytes)
        let to = UnsafeMutableRawPointer(base + count + 1)
        guard size < 8 ? Self.copyShort(from, to) : Self.copyWords(from, to) else { return false }
        base[count] = UInt8(ascii: "\"")
        base[count + 1 + size] = UInt8(ascii: "\"")
        count += size + 2
        return true
    }

    /// Copies eight bytes or more; the last word overlaps its neighbour.
    @inline(__always)
    private static func copyWords(_ from: UnsafeRawBufferPointer, _ to: UnsafeMutableRawPointer) -> Bool {
        let last = from.count - 8
        var position = 0
        while true {
            let word = from.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            guard !StringScan.hasSpecial(word) else { return false }
            to.storeBytes(of: word, toByteOffset: position, as: UInt64.self)
            guard position < last else { return true }
            position = min(position + 8, last)
        }
    }

    /// Copies less than eight bytes.
    @inline(__always)
    private static func copyShort(_ from: UnsafeRawBufferPointer, _ to: UnsafeMutableRawPointer) -> Bool {
        if from.count >= 4 {
            let first = from.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
            let last = from.loadUnaligned(fromByteOffset: from.count - 4, as: UInt32.self)
            guard !StringScan.hasSpecial(UInt64(first) | UInt64(last) << 32) else { return false }
            to.storeBytes(of: first, as: UInt32.self)
            to.storeBytes(of: last, toByteOffset: from.count - 4, as: UInt32.self)
            return true
        }
        for position in 0..<from.count {
            guard !StringScan.isSpecial(from[position]) else { return false }
            to.storeBytes(of: from[position], toByteOffset: position, as: UInt8.self)
        }
        return true
    }

    /// Whether one more array or object may be opened; `leave` ends it.
    @inline(__always)
    mutating func enter() -> Bool {
        guard depth < depthLimit else {
            isTooDeep = true
            return false
        }
        depth += 1
        return true
    }

    @inline(__always)
    mutating func leave() { depth -= 1 }

    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
    }
}
