import Foundation
import TributaryJSON

/// The part of the settings about live plugins: the current version and its address.
struct BundleReference: Sendable, Equatable {
    /// Versions only grow. Going back to old content is a new version, too.
    let version: Int
    /// The address of the bundle; nil when the workspace has switched live plugins off.
    let url: URL?
    /// The SHA-256 of the bundle in lower-case hexadecimal digits, when the workspace gives one.
    let sha256: String?
    /// Ed25519 signatures of the bundle's bytes in base 64.
    let signatures: [String]
    /// The proof that the version stands in the log of deployments; nil when the workspace gives none.
    let log: LogProof?

    /// Reads `edgeFunction`; nil when it is missing or incomplete.
    ///
    /// - Parameter device: an anonymous id. It decides whether this device gets a version that is not for all devices
    ///   yet. The id is not sent anywhere. Without an id, the device gets the version for all devices.
    init?(edgeFunction: JSON?, device: String?) {
        if let device, let staged = edgeFunction?["staged"], let percentage = staged["percentage"]?.intValue,
            let reference = BundleReference(edgeFunction: staged),
            RolloutShare.has(device, of: .livePlugins, version: reference.version, percentage: percentage)
        {
            self = reference
        } else {
            self.init(edgeFunction: edgeFunction)
        }
    }

    /// Reads the version that runs beside the present one on some devices; nil when there is none, or not on this device.
    init?(shadowOf edgeFunction: JSON?, device: String?) {
        guard let device, let shadow = edgeFunction?["shadow"], let percentage = shadow["percentage"]?.intValue,
            // While live plugins are switched off, no script runs.
            edgeFunction?["downloadURL"]?.stringValue?.isEmpty == false,
            let reference = BundleReference(edgeFunction: shadow), reference.url != nil,
            RolloutShare.has(device, of: .livePlugins, version: reference.version, percentage: percentage)
        else { return nil }
        self = reference
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
        let first = edgeFunction["signature"]?.stringValue.map { [$0] } ?? []
        let others = edgeFunction["signatures"]?.elements?.prefix(SignatureCheck.mostKeys).compactMap(\.stringValue)
        signatures = first + (others ?? []).filter { !first.contains($0) }
        log = LogProof(edgeFunction["log"])
    }
}
