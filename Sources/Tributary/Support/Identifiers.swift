/// Where ids and chance come from, so that tests can foresee them.
public struct Identifiers: Sendable {
    /// A new id that nobody has had before.
    public var next: @Sendable () -> String
    /// A number from 0 up to, not including, 1, for jitter.
    public var random: @Sendable () -> Double

    /// Random UUIDs and the system's randomness unless told otherwise.
    public init(
        next: @escaping @Sendable () -> String = { Identifiers.uuid() },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.next = next
        self.random = random
    }

    /// A random UUID (version 4, RFC 9562) in lower case.
    ///
    /// Each call of `track` needs one, and Foundation's takes as long as everything else in that call together: it is
    /// written with `printf`. The randomness is the system's all the same.
    public static func uuid() -> String {
        var system = SystemRandomNumberGenerator()
        let version: UInt64 = 0x4000, variant: UInt64 = 0x8000_0000_0000_0000
        let high = system.next() & ~0xF000 | version
        let low = system.next() & ~0xC000_0000_0000_0000 | variant
        var text: [UInt8] = []
        text.reserveCapacity(36)
        write(high, digits: 8, from: 64, into: &text)
        for start: UInt64 in [32, 16] {
            text.append(UInt8(ascii: "-"))
            write(high, digits: 4, from: start, into: &text)
        }
        text.append(UInt8(ascii: "-"))
        write(low, digits: 4, from: 64, into: &text)
        text.append(UInt8(ascii: "-"))
        write(low, digits: 12, from: 48, into: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Hexadecimal digits of the bits below `start`, highest first.
    private static func write(_ value: UInt64, digits: UInt64, from start: UInt64, into text: inout [UInt8]) {
        for digit in 1...digits {
            let nibble = UInt8(truncatingIfNeeded: value >> (start - 4 * digit)) & 0xF
            text.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
        }
    }

    /// The id of the `ordinal`th event that is made while the event with the id `parent` is processed.
    ///
    /// It depends on nothing else, so a replay after a crash makes the same id and the server stores one event.
    static func derived(from parent: String, ordinal: Int) -> String {
        let stem = parent.utf8.count <= 72 ? parent : String(fnv1a(parent.utf8), radix: 16)
        return "\(stem)-\(ordinal)"
    }

    static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
