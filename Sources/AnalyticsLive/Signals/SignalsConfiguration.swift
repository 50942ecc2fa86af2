public import Foundation

/// Says which signals are collected, how many are kept, and which broadcasters get them.
///
/// ```swift
/// Signals.shared.useConfiguration(
///     SignalsConfiguration(writeKey: "KEY", useNetworkAutoSignal: true, allowedNetworkHosts: ["*.example.com"]))
/// ```
public struct SignalsConfiguration {
    /// Means all hosts, in `allowedNetworkHosts`.
    public static let allowAllHosts = "*"
    /// Hosts that never make signals: the field's own services. The client's own hosts are added to them.
    public static let autoBlockedHosts = [
        "api.segment.com", "cdn-settings.segment.com", "signals.segment.com", "api.segment.build", "cdn.segment.build",
        "signals.segment.build",
    ]

    static let standardAPIHost = "signals.segment.io/v1"

    /// The write key of the source that the signals belong to.
    public var writeKey: String
    /// How many signals are kept for scripts, and how many wait until scripts run. At least 1, at most 100,000.
    public var maximumBufferSize: Int
    /// How many signals are collected before broadcasters are asked to relay them. At least 1.
    public var relayCount: Int
    /// Seconds between two relays. At least 0.1.
    public var relayInterval: TimeInterval
    /// Rules for values that must not be in signals, in the order in which they are applied. Default: none.
    public var privacyRules: [SignalPrivacyRule] = []
    /// The broadcasters that get each signal; nil and an empty list mean none.
    public var broadcasters: [any SignalBroadcaster]?
    /// Whether the Segment broadcaster sends in release builds, too.
    public var sendDebugSignalsToSegment: Bool
    /// Whether the Segment broadcaster makes its signals unreadable.
    public var obfuscateDebugSignals: Bool
    /// Host and path for the Segment broadcaster; `https` unless a scheme is given. The default means the client's own
    /// API host, unless that is the field's own service.
    public var apiHost: String
    /// Whether UIKit's components make signals.
    public var useUIKitAutoSignal: Bool
    /// Whether signals of UIKit's fields contain the typed text, in debug builds. In release builds they never do,
    /// because people type private things. Default: false. Signals of fields for passwords, codes and cards never do.
    public var useTypedText = false
    /// Whether the controls that replace SwiftUI's make signals.
    public var useSwiftUIAutoSignal: Bool
    /// Whether network requests make signals.
    public var useNetworkAutoSignal: Bool
    /// Hosts that make signals: names, or patterns such as `*.example.com`.
    public var allowedNetworkHosts: [String]
    /// Hosts that make no signals. `autoBlockedHosts` and the hosts of webhooks are always blocked.
    public var blockedNetworkHosts: [String]

    /// A configuration; only the write key is required.
    ///
    /// - Parameters:
    ///   - writeKey: of the source that the signals belong to.
    ///   - maximumBufferSize: signals that are kept. Default: 1000.
    ///   - relayCount: signals between two relays. Default: 20.
    ///   - relayInterval: seconds between two relays. Default: 60.
    ///   - broadcasters: the receivers of each signal. Default: a `SegmentBroadcaster`, which sends in debug builds.
    ///   - sendDebugSignalsToSegment: whether the Segment broadcaster sends in release builds, too. Default: false.
    ///   - obfuscateDebugSignals: whether what it sends is made unreadable. Default: true.
    ///   - apiHost: where it sends to. Default: `signals.segment.io/v1`.
    ///   - useUIKitAutoSignal: whether UIKit's components make signals. Default: false.
    ///   - useSwiftUIAutoSignal: whether the controls that replace SwiftUI's make signals. Default: false.
    ///   - useNetworkAutoSignal: whether network requests make signals. Default: false.
    ///   - allowedNetworkHosts: hosts that make signals. Default: all.
    ///   - blockedNetworkHosts: hosts that make none, besides `autoBlockedHosts`. Default: none.
    public init(
        writeKey: String, maximumBufferSize: Int = 1000, relayCount: Int = 20, relayInterval: TimeInterval = 60,
        broadcasters: [any SignalBroadcaster]? = [SegmentBroadcaster()], sendDebugSignalsToSegment: Bool = false,
        obfuscateDebugSignals: Bool = true, apiHost: String = "signals.segment.io/v1",
        useUIKitAutoSignal: Bool = false, useSwiftUIAutoSignal: Bool = false, useNetworkAutoSignal: Bool = false,
        allowedNetworkHosts: [String] = [Self.allowAllHosts], blockedNetworkHosts: [String] = []
    ) {
        self.writeKey = writeKey
        self.maximumBufferSize = maximumBufferSize
        self.relayCount = relayCount
        self.relayInterval = relayInterval
        self.broadcasters = broadcasters
        self.sendDebugSignalsToSegment = sendDebugSignalsToSegment
        self.obfuscateDebugSignals = obfuscateDebugSignals
        self.apiHost = apiHost
        self.useUIKitAutoSignal = useUIKitAutoSignal
        self.useSwiftUIAutoSignal = useSwiftUIAutoSignal
        self.useNetworkAutoSignal = useNetworkAutoSignal
        self.allowedNetworkHosts = allowedNetworkHosts
        let webhooks = (broadcasters ?? []).compactMap { ($0 as? WebhookBroadcaster)?.url.host }
        self.blockedNetworkHosts = blockedNetworkHosts + Self.autoBlockedHosts + webhooks
    }

    static let standardBufferSize = 1000

    /// The size of the buffer, within its limits.
    var bufferSize: Int { min(max(maximumBufferSize, 1), SignalLimits.bufferedSignals) }

    /// Whether signals contain the text of fields, in a build of that kind.
    func includesTypedText(isDebug: Bool) -> Bool { useTypedText && isDebug }

    /// Whether the app has enabled a source. Signals that the app emits itself are always enabled.
    func uses(_ source: SignalSource) -> Bool {
        switch source {
        case .autoNetwork: useNetworkAutoSignal
        case .autoSwiftUI: useSwiftUIAutoSignal
        case .autoUIKit: useUIKitAutoSignal
        case .manual: true
        }
    }
}
