package import Crypto

/// A bounded sample of the devices that reported about one version, each with its own sums.
///
/// A *device* is one start of an app: events and reports name it by `instanceId`, which is new with each start. The
/// sample keeps the devices with the lowest digests under a secret key. So it is a fair sample of all devices, it never
/// grows beyond `capacity`, and a sender without the key cannot make up ids that are in it.
package struct HealthSample: Sendable {
    /// The most devices that are kept.
    package static let capacity = 1000

    /// The number of the stage.
    package private(set) var stage: Int
    private var entries: [UInt64: SampledDevice] = [:]
    /// Devices from here on are left out; nil while all devices are kept.
    private var bound: UInt64?
    /// The devices that were changed since the sample was made, by their digests; nil for a device that was left out
    /// again.
    package private(set) var changes: [UInt64: SampledDevice?] = [:]

    /// - Parameters:
    ///   - entries: the devices that are known, by their digests, as they are in that stage.
    package init(entries: [UInt64: SampledDevice] = [:], stage: Int = 0) {
        (self.stage, self.entries) = (stage, entries)
        if entries.count >= Self.capacity { bound = entries.keys.max().map { $0 == .max ? $0 : $0 + 1 } }
    }

    /// Adds a report.
    ///
    /// A device sends an early report before its time because of a fault. It counts with the next regular one of that
    /// device: otherwise the devices with faults would be the first that are heard, and a good version would look bad.
    /// - Parameters:
    ///   - place: the digest of the device.
    ///   - number: counts the reports of this device.
    ///   - came: the stage in which the report came; nil for the present one. One of an earlier stage does not count in the
    ///     present one.
    ///   - isKept: whether the sums of the stages before still count.
    /// - Returns: false when it was added before, or the device is not in the sample.
    @discardableResult
    package mutating func add(
        _ health: DeviceHealth, at place: UInt64, report number: Int64, isEarly: Bool = false, in came: Int? = nil,
        keepingSums isKept: Bool = false
    ) -> Bool {
        if let bound, place >= bound { return false }
        var entry = entries[place] ?? SampledDevice()
        guard number > entry.report else { return false }
        if let came, came < stage {
            entry.addLate(health, report: number, isEarly: isEarly, keepingSums: isKept)
        } else {
            entry.add(health, report: number, stage: stage, isEarly: isEarly)
        }
        set(entry, at: place)
        return dropHighest() != place
    }

    /// Begins a stage. The devices stay known, so an old report that is sent again counts in no stage twice.
    /// - Parameter isKept: whether the sums of the stages before still count.
    mutating func beginStage(keepingSums isKept: Bool) {
        stage += 1
        for place in entries.keys { entries[place]?.beginStage(keepingSums: isKept) }
    }

    /// The sums of the sampled devices that counted events, or on which the version does not run.
    package var devices: [DeviceHealth] {
        entries.values.lazy.map(\.health).filter { $0.events > 0 || $0.isBroken }
    }

    /// How many devices reported in the present stage; an estimate when there are more than the sample holds.
    ///
    /// A device that gets another version in the middle of a stage reports about both. It counts for the version that it
    /// has now, so the sample of the version before leaves it out.
    /// - Parameter newer: the sample of the version to which devices go over.
    func devicesInStage(without newer: HealthSample? = nil) -> Double {
        // Both samples know all devices below this digest, so there each device of the one is found in the other.
        let bounds = [bound, newer?.bound].compactMap(\.self)
        let count = entries.count { place, device in
            device.isInStage && newer?.entries[place]?.isInStage != true && bounds.allSatisfy { place < $0 }
        }
        guard let bound = bounds.min() else { return Double(count) }
        return Double(count) * (Double(UInt64.max) / max(1, Double(bound)))
    }

    /// The changes are stored.
    mutating func forgetChanges() { changes = [:] }

    /// The digest of a device. It depends on a secret key, so a device cannot choose to be in the sample.
    package static func digest(_ device: String, _ key: SymmetricKey) -> UInt64 {
        HMAC<SHA256>.authenticationCode(for: Array(device.utf8), using: key)
            .prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }

    private mutating func set(_ entry: SampledDevice?, at place: UInt64) {
        entries[place] = entry
        changes[place] = .some(entry)
    }

    /// Leaves out the device with the highest digest when there are too many.
    private mutating func dropHighest() -> UInt64? {
        guard entries.count > Self.capacity, let highest = entries.keys.max() else { return nil }
        set(nil, at: highest)
        bound = highest
        return highest
    }
}
