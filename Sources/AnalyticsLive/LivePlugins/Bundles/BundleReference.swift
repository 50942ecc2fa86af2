import Foundation
import TributaryCryptography
import TributaryJSON

/// The part of the settings about live plugins: the current version and its address.
struct BundleReference: Sendable, Equatable {
    /// Versions only grow. Going back to old content is a new version, too.
    let version: Int
    /// The address of the bundle; nil when the workspace has switched live plugins off.
    let url: URL?
    /// The SHA-256 of the bundle in lower-case hexadecimal digits, when the workspace gives one.
    let sha256: String?
    /// The author's Ed25519 signature of the bundle's bytes in base 64, when there is one.
    let signature: String?

    /// Reads `edgeFunction`; nil when it is missing or incomplete.
    ///
    /// - Parameter device: an anonymous id. It decides whether this device gets a version that is not for all devices
    ///   yet. The id is not sent anywhere. Without an id, the device gets the version for all devices.
    init?(edgeFunction: JSON?, device: String?) {
        if let device, let staged = edgeFunction?["staged"], let percentage = staged["percentage"]?.intValue,
            let reference = BundleReference(edgeFunction: staged),
            BundleRollout.has(device, version: reference.version, percentage: percentage)
        {
            self = reference
        } else {
            self.init(edgeFunction: edgeFunction)
        }
    }

    /// Reads the version for all devices.
    init?(edgeFunction: JSON?) {
        guard let edgeFunction, let address = edgeFunction["downloadURL"]?.stringValue,
            let version = edgeFunction["version"]?.intValue
                ?? edgeFunction["version"]?.stringValue.flatMap({ Int($0) })
        else { return nil }
        self.version = version
        if address.isEmpty {
            url = nil
        } else {
            guard let parsed = URL(string: address), ["http", "https"].contains(parsed.scheme?.lowercased() ?? "")
            else { return nil }
            url = parsed
        }
        sha256 = edgeFunction["sha256"]?.stringValue?.lowercased()
        signature = edgeFunction["signature"]?.stringValue
    }
}

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
