public import Foundation
public import Tributary
import TributaryJSON

/// Runs the JavaScript plugins that the workspace deploys, in the timeline like any other plugin.
///
/// Events that are tracked after the plugin was added wait on disk until the first bundle runs or is known to be
/// unavailable, at most `Configuration.waitingTimeout` seconds. A new version that comes with the
/// settings replaces the running one between two events, without a restart of the app. When the version cannot be
/// loaded, the last bundle that worked runs, or the fallback file. A script that fails never costs an event. A version
/// does not run on this device again when it breaks its time budget at load or its memory budget, or when the app ends
/// twice in a row during the same work of its scripts.
///
/// ```swift
/// let fallback = Bundle.main.url(forResource: "fallback", withExtension: "js")
/// analytics.add(plugin: LivePlugins(fallbackFileURL: fallback))
/// ```
///
/// When the user refuses consent, the values that scripts stored are deleted, and the bundle is loaded again.
///
/// A client has one `LivePlugins`, and a `LivePlugins` belongs to one client. Another one is not added, and a
/// diagnostic reports it.
///
/// Unchecked because everything that changes is only touched by the client's executor; `configure` comes before.
public final class LivePlugins: @unchecked Sendable, EventPlugin, WaitingPlugin, PluginHost, UserForgetting,
    FileKeeping, ExclusivePlugin
{
    public let type = PluginType.utility
    public let name = "LivePlugins"
    public weak var analytics: Analytics?

    let budget: LivePluginBudget
    private let fallbackFileURL: URL?
    private let isFallbackForced: Bool
    /// Gets the errors of scripts, like the diagnostics.
    let exceptionHandler: (@Sendable (any Error) -> Void)?
    /// Scripts that run before the bundle.
    let localJSURLs: [URL]
    /// The actions that scripts may take; nil when the app restricts nothing.
    let permissions: ScriptPermissions?
    /// The forms of live plugins that run.
    let accept: LivePluginForms
    private let trust: BundleTrust
    private(set) var source: BundleSource?
    private(set) var quarantine: BundleQuarantine?
    private(set) var marker: RunMarker?
    private let isPowerLow: @Sendable () -> Bool
    private(set) var storage = ScriptStorage(folder: nil)
    let others = OtherSources()
    private(set) var settings = Settings()
    /// The version for the next events.
    var running: LivePluginBundleVersion? {
        didSet {
            guard running !== oldValue else { return }
            running?.shadow = shadow(beside: running)
            follower?.scriptsChanged()
        }
    }
    /// The version that runs beside the present one without touching an event; nil before `configure`.
    private(set) var shadows: ShadowHost?
    /// Replaced versions with events that destinations still have, oldest first.
    var retired: [LivePluginBundleVersion] = []
    /// Counts what the versions do, for health reports.
    var counters: [VersionCounter] = []
    /// The bundle that was requested last; nil before the first request. An empty value means that the settings name no
    /// bundle.
    private var asked: BundleReference??
    /// The number of the current request. An answer to an older one is too late.
    var request = 0
    var attempts = 0
    /// Whether the first bundle runs, or it is known that there is none.
    var isSettled = false
    /// Observes the scripts, and passes signals to them.
    weak var follower: (any ScriptFollower)?
    /// Whether the library added these live plugins because of `Signals`. Set before they are added.
    var isForSignals = false
    package let owner = PluginOwner()
    package var givesWay: Bool { isForSignals }
    /// The number of signals that scripts have made without an observer.
    var ownSignals = 0

    /// - Parameters:
    ///   - fallbackFileURL: a script that comes with the app, for the first launch and for times without a network.
    ///   - force: whether the fallback always runs, for development. Default: false.
    ///   - publicKey: the 32 bytes of an Ed25519 key in base 64, as `tributary plugin key` prints it. Deployed bundles
    ///     then run only with a signature of that key. Default: nil, which accepts bundles without a signature.
    ///   - exceptionHandler: gets each error of a script, a `ScriptError`, on the client's executor. Diagnostics and
    ///     the client's error handler get it, too. Default: nil.
    ///   - localJSURLs: files with scripts that run before each version of the bundle, in this order. Default: none.
    ///   - allow: the actions that scripts may take, compiled into the app. All others are refused on the device, whoever
    ///     deployed the scripts: an event goes on without a change that is not allowed, and a diagnostic reports it. This
    ///     concerns the fallback and local scripts, too. Default: nil, which allows all.
    ///   - accept: the forms of live plugins that run. `.dataOnly` concerns the fallback and local scripts, too. Default:
    ///     scripts and data.
    public convenience init(
        fallbackFileURL: URL? = nil, force: Bool = false, publicKey: String? = nil,
        exceptionHandler: (@Sendable (any Error) -> Void)? = nil, localJSURLs: [URL] = [],
        allow: [ScriptPermission]? = nil, accept: LivePluginForms = .scriptsAndData
    ) {
        self.init(
            fallbackFileURL: fallbackFileURL, force: force, publicKey: publicKey, budget: LivePluginBudget(),
            exceptionHandler: exceptionHandler, localJSURLs: localJSURLs, allow: allow, accept: accept)
    }

    /// Live plugins that run only under the app's conditions, such as two of three signatures.
    ///
    /// - Parameters:
    ///   - trust: the signatures that a deployed bundle needs, and whether it has to stand in the log of deployments.
    ///   - fallbackFileURL: a script that comes with the app, for the first launch and for times without a network.
    ///   - force: whether the fallback always runs, for development. Default: false.
    ///   - exceptionHandler: gets each error of a script, a `ScriptError`, on the client's executor. Default: nil.
    ///   - localJSURLs: files with scripts that run before each version of the bundle, in this order. Default: none.
    ///   - allow: the actions that scripts may take, compiled into the app. Default: nil, which allows all.
    ///   - accept: the forms of live plugins that run. Default: scripts and data.
    public convenience init(
        trust: BundleTrust, fallbackFileURL: URL? = nil, force: Bool = false,
        exceptionHandler: (@Sendable (any Error) -> Void)? = nil, localJSURLs: [URL] = [],
        allow: [ScriptPermission]? = nil, accept: LivePluginForms = .scriptsAndData
    ) {
        self.init(
            fallbackFileURL: fallbackFileURL, force: force, trust: trust, budget: LivePluginBudget(),
            exceptionHandler: exceptionHandler, localJSURLs: localJSURLs, allow: allow, accept: accept)
    }

    /// Live plugins with other budgets.
    package convenience init(
        fallbackFileURL: URL?, force: Bool = false, publicKey: String? = nil, budget: LivePluginBudget,
        exceptionHandler: (@Sendable (any Error) -> Void)? = nil, localJSURLs: [URL] = [],
        allow: [ScriptPermission]? = nil, accept: LivePluginForms = .scriptsAndData
    ) {
        self.init(
            fallbackFileURL: fallbackFileURL, force: force, trust: BundleTrust(keys: publicKey.map { [$0] } ?? []),
            budget: budget, exceptionHandler: exceptionHandler, localJSURLs: localJSURLs, allow: allow, accept: accept)
    }

    /// Live plugins with the app's conditions and other budgets.
    /// - Parameter isPowerLow: whether the device saves power now. Then no shadow runs.
    package init(
        fallbackFileURL: URL?, force: Bool = false, trust: BundleTrust, budget: LivePluginBudget,
        exceptionHandler: (@Sendable (any Error) -> Void)? = nil, localJSURLs: [URL] = [],
        allow: [ScriptPermission]? = nil, accept: LivePluginForms = .scriptsAndData,
        isPowerLow: @escaping @Sendable () -> Bool = { DevicePower.isSaved }
    ) {
        self.isPowerLow = isPowerLow
        permissions = allow.map(ScriptPermissions.init)
        self.accept = accept
        self.exceptionHandler = exceptionHandler
        self.localJSURLs = localJSURLs
        self.fallbackFileURL = fallbackFileURL
        isFallbackForced = force
        self.trust = trust
        self.budget = budget
    }

    public func configure(analytics: Analytics) {
        self.analytics = analytics
        let folder = analytics.keptFolder
        let report: @Sendable (String) -> Void = { [weak self] problem in self?.report(problem) }
        let quarantine = BundleQuarantine(folder: folder, report: report)
        self.quarantine = quarantine
        storage = ScriptStorage(
            folder: folder, report: report, mayKeep: { [weak analytics] in analytics?.consent != .denied })
        marker = folder.map { RunMarker(folder: $0, name: "lane-\(analytics.queueNumber)") }
        let shadowMarker = folder.map { RunMarker(folder: $0, name: "shadow-\(analytics.queueNumber)") }
        let shadows = ShadowHost(self, marker: shadowMarker, isPowerLow: isPowerLow)
        self.shadows = shadows
        considerLastEnd()
        shadows.considerLastEnd()
        replaceThoseForSignals(of: analytics)
        analytics.reportPermissions(permissions?.all.map(\.description))
        source = BundleSource(
            store: folder.map(BundleStore.init(folder:)), quarantine: quarantine, signatures: SignatureCheck(trust),
            log: trust.isLogged ? SeenLog(folder: folder) : nil, transport: analytics.transport,
            fallback: fallbackFileURL, isFallbackForced: isFallbackForced,
            report: report)
    }

    public func update(settings: Settings, type: UpdateType) {
        self.settings = settings
        let reference = BundleReference(edgeFunction: settings.edgeFunction, device: analytics?.anonymousId)
        shadows?.update(settings)
        if let running {
            let steps = inside(.update, of: running) {
                running.runtime.update(settings: .object(settings.document), initial: false)
            }
            report(steps, of: running)
        }
        if let asked, asked == reference { return }
        asked = .some(reference)
        attempts = 0
        if type == .initial {
            analytics?.pauseEventProcessing(plugin: self)
            follower?.scriptsAwaited()
        }
        fetch(reference)
    }

    public func reset() {
        guard let running else { return }
        report(inside(.reset, of: running) { running.runtime.reset() }, of: running)
        running.shadow?.reset()
    }

    public func flush() {
        guard let running else { return }
        report(inside(.flush, of: running) { running.runtime.flush() }, of: running)
        running.shadow?.flush()
    }

    package func forgetUser() {
        storage.forget()
        restart()
        shadows?.restart()
    }

    package func restoreFiles() -> [String] {
        (marker.flatMap { $0.restore() ? [$0.fileName] : [] } ?? []) + (shadows?.restoreFiles() ?? [])
    }

    public func shutdown() {
        shadows?.end()
        stop()
        for bundleVersion in retired { bundleVersion.runtime.teardown() }
        retired = []
        request += 1
        asked = nil
        isSettled = false
        others.shutdown()
        source?.finish()
        owner.end()
        follower?.scriptsEnded()
    }

    package var bundleVersion: (any BundleVersion)? { running }

    /// The shadow has begun or ended.
    func shadowChanged() {
        running?.shadow = shadow(beside: running)
        // A new shadow gets the latest signals, as each new version does.
        if running?.shadow != nil { follower?.scriptsChanged() }
    }

    /// The shadow for a version: one with a higher number, because versions only grow.
    private func shadow(beside version: LivePluginBundleVersion?) -> ShadowVersion? {
        guard let shadow = shadows?.version, let version else { return nil }
        return (version.bundle.version ?? 0) < (shadow.bundle.version ?? 0) ? shadow : nil
    }

    /// Runs scripts, with a mark on disk meanwhile. A replaced version leaves no mark, because the next launch does not
    /// run it.
    func inside<Result>(
        _ work: @autoclosure () -> ScriptWork, of bundleVersion: LivePluginBundleVersion?, _ body: () throws -> Result
    ) rethrows -> Result {
        guard let marker, bundleVersion?.isRetired != true else { return try body() }
        marker.enter(work())
        defer { marker.leave() }
        return try body()
    }

    func report(_ message: String, severity: Diagnostic.Severity = .warning) {
        analytics?.report(Diagnostic(.livePlugins, message, severity: severity, plugin: name))
    }
}
