import Foundation

/// A broadcaster that sends to a host. Its own requests make no signals, because it would have to send those too.
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
