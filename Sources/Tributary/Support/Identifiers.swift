/// The source of ids and random numbers. Tests replace it to predict them.
public struct Identifiers: Sendable {
    /// A new unique id.
    public var next: @Sendable () -> String
    /// A number from 0 up to, not including, 1, for jitter.
    public var random: @Sendable () -> Double

    /// Random UUIDs and the system's random numbers by default.
    public init(
        next: @escaping @Sendable () -> String = { Identifiers.uuid() },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.next = next
        self.random = random
    }

    /// A random UUID (version 4, RFC 9562) in lower case.
    ///
    /// Each call of `track` needs one. Foundation's takes as long as the rest of the call, because it is written with
    /// `printf`. The random numbers are the system's in both.
    public static func uuid() -> String {
        let (first, second) = RandomPool.shared.pair()
        let version: UInt64 = 0x4000, variant: UInt64 = 0x8000_0000_0000_0000
        let high = first & ~0xF000 | version
        let low = second & ~0xC000_0000_0000_0000 | variant
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
            text.initialize(repeating: UInt8(ascii: "-"))
            write(high >> 32, 0..<8, text)
            write(high >> 16, 9..<13, text)
            write(high, 14..<18, text)
            write(low >> 48, 19..<23, text)
            write(low, 24..<36, text)
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// Writes as many of the lowest hexadecimal digits as there are places, highest first.
    private static func write(_ value: UInt64, _ places: Range<Int>, _ text: UnsafeMutableBufferPointer<UInt8>) {
        var rest = value
        for place in places.reversed() {
            let nibble = UInt8(truncatingIfNeeded: rest) & 0xF
            text[place] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
            rest >>= 4
        }
    }

    /// The id of the event number `ordinal` that is made while the event with the id `parent` is processed.
    ///
    /// It depends on nothing else. So a replay after a crash makes the same id, and the server stores one event.
    package static func derived(from parent: String, ordinal: Int) -> String {
        let stem = parent.utf8.count <= 72 ? parent : String(fnv1a(parent.utf8), radix: 16)
        return "\(stem)-\(ordinal)"
    }

    package static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
