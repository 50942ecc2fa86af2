import TributaryCryptography

/// Decides whether a device gets a bundle version that is rolled out to some devices only.
///
/// The workspace has the same rule, for clients that do not decide themselves. The rule must never change.
enum BundleRollout {
    /// A number from 0 to below 100 that depends on device and version. A device inside a small percentage is also
    /// inside a larger one.
    static func has(_ device: String, version: Int, percentage: Int) -> Bool {
        guard let digest = SHA256Digest.of(Array("\(version):\(device)".utf8)) else { return false }
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number % 10_000 < UInt64(min(max(0, percentage), 100)) * 100
    }
}
