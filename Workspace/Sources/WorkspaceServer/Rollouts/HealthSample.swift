import Crypto

/// What devices reported about one version: the devices of a bounded sample, each with its own sums.
///
/// A *device* is what calls itself one: events and reports name it by `instanceId`, which is new with each start of the
/// app. The sample keeps those whose digest with a secret key is lowest. So it is a fair sample of all devices, it never
/// grows beyond `capacity`, and nobody without the key can make up ids that are in it.
struct HealthSample: Sendable {
    private struct Entry {
        /// The number of the newest report: reports of a device count up, and a repeated one has a number that was seen.
        var report: Int64
        var health = DeviceHealth(events: 0)
        /// What early reports said since the last regular one.
        var early = DeviceHealth(events: 0)
        /// Whether a regular report arrived in the present stage.
        var isInStage = false

        mutating func add(_ other: DeviceHealth, report number: Int64, isEarly: Bool) {
            report = number
            early.add(other)
            guard !isEarly else { return }
            health.add(early)
            early = DeviceHealth(events: 0)
            isInStage = true
        }

        mutating func forget() { (health, early) = (DeviceHealth(events: 0), DeviceHealth(events: 0)) }
    }

    /// The most devices that are kept.
    static let capacity = 1000

    private let key: SymmetricKey
    private var entries: [UInt64: Entry] = [:]
    /// The lowest digest that was left out; nil while all devices are kept.
    private var bound: UInt64?

    /// - Parameter key: a secret, so that nobody can choose to be in the sample.
    init(key: SymmetricKey) { self.key = key }

    /// Adds a report.
    ///
    /// An early report is one that a device sent before its time because of a fault. It counts with the next regular one of
    /// that device: otherwise the devices with faults would be the first that are heard, and a good version would look bad.
    /// - Parameter number: counts the reports of this device.
    /// - Returns: false when it was added before, or the device is not in the sample.
    @discardableResult
    mutating func add(_ health: DeviceHealth, of device: String, report number: Int64, isEarly: Bool = false) -> Bool {
        let place = digest(device)
        if let bound, place >= bound { return false }
        var entry = entries[place] ?? Entry(report: .min)
        guard number > entry.report else { return false }
        entry.add(health, report: number, isEarly: isEarly)
        entries[place] = entry
        return dropHighest() != place
    }

    /// Begins a stage. The devices stay known, so an old report that is sent again counts in no stage twice.
    /// - Parameter isKept: whether the sums of the stages before still count.
    mutating func beginStage(keepingSums isKept: Bool) {
        for place in entries.keys {
            entries[place]?.isInStage = false
            if !isKept { entries[place]?.forget() }
        }
    }

    /// The sums of the devices in the sample that have something to say.
    var devices: [DeviceHealth] {
        entries.values.lazy.map(\.health).filter { $0.events > 0 || $0.isBroken }
    }

    /// How many devices reported in the present stage; an estimate when there are more than the sample holds.
    var devicesInStage: Double {
        let count = Double(entries.values.count { $0.isInStage })
        guard let bound else { return count }
        return count * (Double(UInt64.max) / max(1, Double(bound)))
    }

    private func digest(_ device: String) -> UInt64 {
        HMAC<SHA256>.authenticationCode(for: Array(device.utf8), using: key)
            .prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }

    /// Leaves out the device with the highest digest when there are too many.
    private mutating func dropHighest() -> UInt64? {
        guard entries.count > Self.capacity, let highest = entries.keys.max() else { return nil }
        entries[highest] = nil
        bound = highest
        return highest
    }
}
