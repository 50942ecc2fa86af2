public import Foundation
public import Tributary
import TributaryJSON

/// Sends signals to an address of the app's own, as a JSON array in the body of a POST, in every build configuration.
///
/// Typed and shown texts are made unreadable, unless a debug build switches that off. Requests are tried again with
/// growing pauses; at most 1,000 signals wait, in memory.
public final class WebhookBroadcaster: SignalBroadcaster, RecordBroadcaster, Sendable {
    /// Where signals go. Requests to its host never make signals.
    public let url: URL
    private let obfuscates: Bool
    private let sender: SignalSender

    /// - Parameters:
    ///   - url: where signals go.
    ///   - obfuscate: whether debug builds make signals unreadable, too; release builds always do. Default: true.
    public convenience init(url: URL, obfuscate: Bool = true) {
        self.init(url: url, obfuscate: obfuscate, isDebugBuild: BuildConfiguration.isDebug)
    }

    package init(url: URL, obfuscate: Bool, isDebugBuild: Bool) {
        self.url = url
        obfuscates = obfuscate || !isDebugBuild
        sender = SignalSender(name: "WebhookBroadcaster") { batch, _ in
            TransportRequest(
                method: "POST", url: url, headers: ["Content-Type": "application/json"],
                body: JSON.array(batch).encoded(), answerLimit: .beginning(SignalLimits.answerBytes))
        }
    }

    public var analytics: Analytics? {
        get { sender.analytics }
        set { sender.analytics = newValue }
    }

    /// A signal that was emitted somewhere else.
    public func added(signal: any RawSignal) {
        take(signal)
    }

    func added(record: SignalRecord) { sender.add(obfuscates ? record.obfuscated : record.json) }

    public func relay() { sender.send() }

    /// Deletes the signals that wait to be sent.
    public func forget() { sender.forget() }
}
