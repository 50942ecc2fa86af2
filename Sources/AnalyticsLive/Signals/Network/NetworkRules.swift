import Foundation

/// Decides which requests make signals.
struct NetworkRules: Hashable, Sendable {
    private let allowed: [HostPattern]
    private let blocked: [HostPattern]
    /// The documented hosts, and the default host of signals.
    private static let always = SignalsConfiguration.autoBlockedHosts + ["api.segment.io", "signals.segment.io"]

    /// - Parameters:
    ///   - own: hosts of the client's own requests, with or without scheme and path; only the host counts.
    init(allowed: [String], blocked: [String], own: [String] = []) {
        self.allowed = allowed.compactMap(HostPattern.init)
        self.blocked = (blocked + Self.always + own.compactMap(Self.host)).compactMap(HostPattern.init)
    }

    /// Whether an address is captured. A blocked host stays blocked, even when it is also allowed.
    func capture(_ url: URL) -> Bool {
        guard let address = CapturedAddress(url) else { return false }
        return allowed.contains { $0.matches(address) } && !blocked.contains { $0.matches(address) }
    }

    /// The host and port of `host/path` or of an address, so that all of its paths are meant. The port stays, because
    /// another server of the app may run on the same machine as the workspace.
    private static func host(_ address: String) -> String? {
        let url = URL(string: address.contains("://") ? address : "https://\(address)")
        guard let host = url?.host, !host.isEmpty else { return nil }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return url?.port.map { "\(name):\($0)" } ?? name
    }
}
