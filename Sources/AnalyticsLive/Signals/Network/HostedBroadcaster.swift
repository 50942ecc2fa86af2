import Foundation

/// A broadcaster that sends somewhere. Its requests make no signals, which it would have to send.
protocol HostedBroadcaster: SignalBroadcaster {
    /// Hosts, with or without scheme and path.
    var hosts: [String] { get }
}

extension WebhookBroadcaster: HostedBroadcaster {
    var hosts: [String] { [url.absoluteString] }
}

extension SegmentBroadcaster: HostedBroadcaster {
    var hosts: [String] { [ownHost].compactMap { $0 } }
}
