import Crypto

/// Decides which devices get a bundle version that is rolled out to some of them.
enum Rollout {
    /// The same answer each time, here and on the device: a number from 0 to below 100 that device and version decide.
    /// A device that is among the first 10 % is among the first 20 % too. Another version begins with other devices.
    static func has(_ device: String, version: Int64, percentage: Int) -> Bool {
        var digest = SHA256()
        digest.update(data: Array("\(version):\(device)".utf8))
        let number = digest.finalize().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number % 10_000 < UInt64(max(0, percentage)) * 100
    }
}
