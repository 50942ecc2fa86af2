import Crypto

/// Decides which devices get a bundle version that is rolled out to some of them.
enum Rollout {
    /// Computes a number from 0 to below 100 from the device and the version; the device gets the version when the
    /// number is below the percentage. Server and device compute the same number. A device among the first 10 % is also
    /// among the first 20 %. Each version begins with other devices.
    static func has(_ device: String, version: Int64, percentage: Int) -> Bool {
        var digest = SHA256()
        digest.update(data: Array("\(version):\(device)".utf8))
        let number = digest.finalize().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number % 10_000 < UInt64(max(0, percentage)) * 100
    }
}
