import Foundation

/// An event that a client of a test sends. Its id is a UUID, like the ids of real clients, and contains the event's
/// place.
public struct SentEvent: Sendable, Hashable {
    /// The device, from 0 on.
    public let device: Int
    /// The batch of the device, from 0 on.
    public let batch: Int
    /// The event in its batch, from 0 on.
    public let index: Int

    private static let mostDevices = 1 << 16
    private static let mostBatches = 1 << 24
    private static let mostEvents = 1 << 8

    /// - Parameters: the event's place. Numbers that are too large for an id are taken from zero on again.
    public init(device: Int, batch: Int, index: Int) {
        self.device = device & (Self.mostDevices - 1)
        self.batch = batch & (Self.mostBatches - 1)
        self.index = index & (Self.mostEvents - 1)
    }

    /// Reads an event from its id; nil when the id does not have this form.
    public init?(messageId: Substring) {
        guard messageId.utf8.count == 36, let place = UInt64(messageId.suffix(12), radix: 16) else { return nil }
        self.init(device: Int(place >> 32), batch: Int(place >> 8), index: Int(place))
    }

    /// The id: version 4, with the event's place in the last 12 digits.
    /// - Parameter seed: decides the other digits.
    public func messageId(seed: UInt64) -> String {
        let place = UInt64(device) << 32 | UInt64(batch) << 8 | UInt64(index)
        var random = SeededGenerator(seed: seed ^ place &* 0xD6E8_FEB8_6659_FD93)
        let (high, low) = (random.next(), random.next())
        let digits = String(format: "%016llX", high & ~0xF000 | 0x4000)
        let variant = String(format: "%04llX", low & 0x3FFF | 0x8000)
        let groups = [digits.prefix(8), digits.dropFirst(8).prefix(4), digits.suffix(4), variant[...]]
        return (groups.map(String.init) + [String(format: "%012llX", place)]).joined(separator: "-")
    }
}
