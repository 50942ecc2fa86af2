public import Tributary
import TributaryJSON

/// Sends signals to the service that gets the events, to watch them there: in debug builds, and in release builds only
/// when the configuration or `sendToSegment` says so.
///
/// Each signal becomes a track event "Segment Signal Generated" with the signal as its properties. Release builds
/// always make typed and shown texts unreadable. At most 1,000 signals wait, in memory.
///
/// Signals go to the client's own API host, unless the configuration names another. Only a client of Segment's own
/// service sends to that service's default host.
public final class SegmentBroadcaster: SignalBroadcaster, RecordBroadcaster, Sendable {
    private struct Options {
        var sends: Bool
        var obfuscates: Bool
        var writeKey: String?
        var apiHost: String?
        var isDisabled = false
    }

    private let options: LockBox<Options>
    private let isDebugBuild: Bool
    private let sender: SignalSender
    private let given: (sends: Bool?, obfuscates: Bool?)

    /// - Parameters:
    ///   - sendToSegment: whether release builds send, too. Default: what the configuration says.
    ///   - obfuscate: whether debug builds make signals unreadable, too. Default: what the configuration says.
    ///   - writeKey: of the source that gets the signals. Default: that of the configuration.
    ///   - apiHost: where to. Default: what the configuration says.
    public convenience init(
        sendToSegment: Bool? = nil, obfuscate: Bool? = nil, writeKey: String? = nil, apiHost: String? = nil
    ) {
        self.init(
            sendToSegment: sendToSegment, obfuscate: obfuscate, writeKey: writeKey, apiHost: apiHost,
            isDebugBuild: BuildConfiguration.isDebug)
    }

    package init(
        sendToSegment: Bool? = nil, obfuscate: Bool? = nil, writeKey: String? = nil, apiHost: String? = nil,
        isDebugBuild: Bool
    ) {
        self.isDebugBuild = isDebugBuild
        given = (sendToSegment, obfuscate)
        let options = LockBox(
            Options(
                sends: sendToSegment ?? false, obfuscates: obfuscate ?? true, writeKey: writeKey, apiHost: apiHost))
        self.options = options
        sender = SignalSender(name: "SegmentBroadcaster") { batch, analytics in
            let (writeKey, apiHost) = options.withLock { ($0.writeKey, $0.apiHost) }
            guard let url = analytics.uploadURL(host: apiHost) else { return nil }
            return SignalUpload(writeKey: writeKey ?? analytics.writeKey, url: url).request(
                batch, at: analytics.time.milliseconds)
        }
    }

    /// The host that this broadcaster has of its own, beside the configuration's.
    var ownHost: String? { options.withLock { $0.apiHost } }

    public var analytics: Analytics? {
        get { sender.analytics }
        set { sender.analytics = newValue }
    }

    /// Sends nothing from now on.
    public func disable() { options.withLock { $0.isDisabled = true } }

    /// Takes from the configuration what the initialiser was not given.
    func adopt(_ configuration: SignalsConfiguration) {
        options.withLock { options in
            options.sends = given.sends ?? configuration.sendDebugSignalsToSegment
            options.obfuscates = given.obfuscates ?? configuration.obfuscateDebugSignals
            options.writeKey = options.writeKey ?? configuration.writeKey
            if options.apiHost == nil, configuration.apiHost != SignalsConfiguration.standardAPIHost {
                options.apiHost = configuration.apiHost
            }
        }
    }

    /// A signal that was emitted somewhere else.
    public func added(signal: any RawSignal) {
        take(signal)
    }

    func added(record: SignalRecord) {
        let (sends, obfuscates) = options.withLock { options in
            (!options.isDisabled && (isDebugBuild || options.sends), options.obfuscates || !isDebugBuild)
        }
        guard sends, let analytics else { return }
        sender.add(
            SignalUpload.event(
                obfuscates ? record.obfuscated : record.json, id: analytics.makeId(), userId: analytics.userId))
    }

    public func relay() { sender.send() }

    /// Deletes the signals that wait to be sent.
    public func forget() { sender.forget() }
}
