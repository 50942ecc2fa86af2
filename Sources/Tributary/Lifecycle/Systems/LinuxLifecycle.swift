#if os(Linux)
import Dispatch
import Foundation

/// Tracks the life of a program on Linux, where no system reports it. A program has to add this plugin.
///
/// Added to a client, it tracks "Application Installed", "Application Updated" and "Application Opened" as far as the
/// configuration says. With ``install(signals:)`` it also tracks "Application Terminated" when the program is told to end.
///
///     LinuxLifecycle.install(signals: [SIGTERM, SIGINT])
///     analytics.add(plugin: LinuxLifecycle(version: "1.4.2"))
///
/// Unchecked because it is constant, but `analytics`, which is only set while the plugin is added.
public final class LinuxLifecycle: Plugin, @unchecked Sendable {
    public let type = PluginType.utility
    public let name = "LinuxLifecycle"
    public weak var analytics: Analytics?

    private let application: ApplicationVersion
    private let lifecycle = LockBox<Lifecycle?>(nil)

    /// - Parameters:
    ///   - version: the program's version. Default: what its bundle says, which most programs have none of.
    ///   - build: the program's build.
    public init(version: String? = nil, build: String? = nil) {
        let current = ApplicationVersion.current
        application = ApplicationVersion(version: version ?? current.version, build: build ?? current.build)
    }

    public func configure(analytics: Analytics) {
        self.analytics = analytics
        let lifecycle = Lifecycle(tracked: analytics.values.trackedLifecycleEvents, application: application)
        lifecycle.analytics = analytics
        self.lifecycle.withLock { $0 = lifecycle }
        SignalRelay.shared.add(self)
        lifecycle.take(.launched())
        analytics.visit((any LinuxLifecycleEvents).self) { $0.applicationDidFinishLaunching() }
    }

    public func shutdown() { SignalRelay.shared.remove(self) }

    /// The signals that ask a program to end: SIGTERM, SIGINT, SIGHUP.
    public static let endingSignals: [Int32] = [SIGTERM, SIGINT, SIGHUP]

    /// Has every client with this plugin told of these signals from now on.
    ///
    /// A signal that the program ignored before stays ignored. What it did with it before follows: a handler is called
    /// once the clients have been told, half a second later at the most, and where there was none the program ends by the
    /// signal. Handlers that are installed later take the place of this one, unless they chain as well.
    /// - Returns: the signals that could be installed.
    @discardableResult
    public static func install(signals: [Int32] = LinuxLifecycle.endingSignals) -> [Int32] {
        signals.filter { SignalRelay.shared.install($0) }
    }

    /// Called on the relay's thread.
    func received(_ signal: Int32) {
        analytics?.visit((any LinuxLifecycleEvents).self) { $0.applicationDidReceiveSignal(signal) }
        lifecycle.withLock { $0 }?.take(.terminating)
    }
}
#endif
