import Crypto

/// Decides which devices get a version that is rolled out to some of them.
package enum Rollout {
    /// Computes a number from 0 to below 100 from the device, the kind and the version; the device gets the version when the
    /// number is below the percentage. Server and device compute the same number. A device among the first 10 % is also
    /// among the first 20 %. Each version begins with other devices, and so does each kind: whether a device has a staged
    /// bundle says nothing about whether it has staged filters.
    package static func has(_ device: String, of kind: RolloutKind, version: Int64, percentage: Int) -> Bool {
        var digest = SHA256()
        digest.update(data: Array("\(prefix(kind))\(version):\(device)".utf8))
        let number = digest.finalize().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number % 10_000 < UInt64(max(0, percentage)) * 100
    }

    private static func prefix(_ kind: RolloutKind) -> String {
        switch kind {
        case .livePlugins: ""
        case .filters: "filters:"
        }
    }
}
