import TributaryCryptography

/// Decides whether a device gets a version that goes to some devices only.
///
/// The workspace has the same rule, for clients that do not decide themselves. The rule must never change.
enum RolloutShare {
    /// The kind of a roll-out. Each kind has shares of its own: whether a device has the staged bundle says nothing about whether
    /// it has the staged filters, so two roll-outs at once do not touch each other's comparison.
    enum Kind: String {
        case livePlugins = ""
        case filters = "filters:"
    }

    /// Computes a number from 0 to below 100 from device, kind and version. A device inside a small percentage is also
    /// inside a larger one.
    static func has(_ device: String, of kind: Kind, version: Int, percentage: Int) -> Bool {
        guard let digest = SHA256Digest.of(Array("\(kind.rawValue)\(version):\(device)".utf8)) else { return false }
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number % 10_000 < UInt64(min(max(0, percentage), 100)) * 100
    }
}
