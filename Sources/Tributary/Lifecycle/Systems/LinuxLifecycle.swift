#if os(Linux)
import Dispatch
import Foundation

/// Tracks the lifecycle of a program on Linux, where no system reports it. The program has to add this plugin.
///
/// The plugin tracks "Application Installed", "Application Updated" and "Application Opened", as the configuration
/// says. With ``install(signals:)`` it also tracks "Application Terminated" when a signal ends the program.
///
///     LinuxLifecycle.install(signals: [SIGTERM, SIGINT])
///     analytics.add(plugin: LinuxLifecycle(version: "1.4.2"))
///
/// Unchecked because it is constant except for `analytics`, which is only set while the plugin is added.
public final class LinuxLifecycle: Plugin, @unchecked Sendable {
    public let type = PluginType.utility
    public let name = "LinuxLifecycle"
    public weak var analytics: Analytics?

    private let application: ApplicationVersion
    private let lifecycle = LockBox<Lifecycle?>(nil)

    /// - Parameters:
    ///   - version: the program's version. Default: the version in its bundle; most programs have none.
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

    /// Makes every client with this plugin handle these signals from now on.
    ///
    /// A signal that the program ignored before stays ignored. After the clients have handled a signal, and after half
    /// a second at most, the program's earlier reaction follows: its own handler is called, or the signal ends the
    /// program. A handler that the program installs later replaces this one, unless it calls this one, too.
    /// - Returns: the signals that were installed.
    @discardableResult
    public static func install(signals: [Int32] = LinuxLifecycle.endingSignals) -> [Int32] {
        signals.filter { SignalRelay.shared.install($0) }
    }

    /// Handles a signal, on the relay's thread.
    func received(_ signal: Int32) {
        analytics?.visit((any LinuxLifecycleEvents).self) { $0.applicationDidReceiveSignal(signal) }
        lifecycle.withLock { $0 }?.take(.terminating)
    }
}
#endif
