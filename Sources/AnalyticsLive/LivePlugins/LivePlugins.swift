public import Foundation
public import Tributary
package import TributaryJSON

/// Runs the JavaScript plugins that the workspace deploys, in the timeline like any other plugin.
///
/// Events wait, on disk, until the first bundle runs or is known to be out of reach. A new version that comes with
/// the settings replaces the running one between two events, without a restart of the app. When no bundle can be had,
/// the last one that worked runs, else the fallback file. A script that fails never costs an event; a version that
/// breaks its budget at load or its memory budget, or during whose work the app ends twice, does not run on this device
/// again.
///
/// Unchecked because everything that changes is only touched by the client's executor; `configure` comes before.
public final class LivePlugins: EventPlugin, WaitingPlugin, StageProvider, @unchecked Sendable {
    struct Running {
        let bundle: ScriptBundle
        let runtime: LivePluginRuntime
        let client: LivePluginClient
        /// Set once it has been told that two numbers cannot be told apart; that would be said for each event.
        var hasToldCollision = false
    }

    public let type = PluginType.utility
    public let name = "LivePlugins"
    public weak var analytics: Analytics?

    let budget: LivePluginBudget
    private let fallbackFileURL: URL?
    private let isFallbackForced: Bool
    private let signatures: SignatureCheck
    private(set) var source: BundleSource?
    private(set) var quarantine: BundleQuarantine?
    private(set) var marker: RunMarker?
    private(set) var storage = ScriptStorage(folder: nil)
    let others = OtherSources()
    private(set) var settings = Settings()
    var running: Running?
    /// What was asked for last; nil while nothing was, an empty value when the settings name no bundle.
    private var asked: BundleReference??
    /// Which of the requests counts: an answer to an older one comes too late.
    var request = 0
    var attempts = 0

    /// - Parameters:
    ///   - fallbackFileURL: a script that comes with the app, for the first launch and for when the network is away.
    ///   - force: whether the fallback runs in any case, for development. Default: false.
    ///   - publicKey: the 32 bytes of an Ed25519 key in base 64, as `tributary plugin key` prints it. Deployed bundles
    ///     then run only with a signature of that key. Default: nil, which takes bundles without a signature.
    public convenience init(fallbackFileURL: URL?, force: Bool = false, publicKey: String? = nil) {
        self.init(fallbackFileURL: fallbackFileURL, force: force, publicKey: publicKey, budget: LivePluginBudget())
    }

    /// Live plugins with other budgets.
    package init(fallbackFileURL: URL?, force: Bool = false, publicKey: String? = nil, budget: LivePluginBudget) {
        self.fallbackFileURL = fallbackFileURL
        isFallbackForced = force
        signatures = SignatureCheck(publicKey: publicKey)
        self.budget = budget
    }

    public func configure(analytics: Analytics) {
        self.analytics = analytics
        let folder = analytics.storageFolder
        let quarantine = BundleQuarantine(folder: folder)
        self.quarantine = quarantine
        storage = ScriptStorage(folder: folder)
        marker = folder.map { RunMarker(folder: $0, name: "lane-\(analytics.laneNumber)") }
        if let death = marker?.examine() { consider(death) }
        source = BundleSource(
            store: folder.map(BundleStore.init(folder:)), quarantine: quarantine, signatures: signatures,
            transport: analytics.transport, fallback: fallbackFileURL, isFallbackForced: isFallbackForced
        ) { [weak self] problem in self?.report(problem) }
    }

    public func update(settings: Settings, type: UpdateType) {
        self.settings = settings
        let reference = BundleReference(edgeFunction: settings.edgeFunction)
        if let running {
            tell(inside { running.runtime.update(settings: .object(settings.document), initial: false) })
        }
        if let asked, asked == reference { return }
        asked = .some(reference)
        attempts = 0
        if type == .initial { analytics?.pauseEventProcessing(plugin: self) }
        fetch(reference)
    }

    public func reset() { tell(inside { running?.runtime.reset() ?? [] }) }

    public func flush() { tell(inside { running?.runtime.flush() ?? [] }) }

    public func shutdown() {
        stop()
        others.shutdown()
    }

    package func run(
        _ json: JSONObject, eventType: String, at type: PluginType, destination: String?
    ) -> ProvidedStage? {
        guard let runtime = running?.runtime, let place = LivePluginType(type),
            runtime.handles(type: place, destination: destination, eventType: eventType)
        else { return nil }
        let result = inside { runtime.run(type: place, destination: destination, event: .object(json)) }
        reportFaults(result.steps)
        if let collision = result.collision { tell(collision: collision) }
        if let failure = runtime.failure { giveUp(failure) }
        return ProvidedStage(event: result.event?.objectValue, steps: result.steps.map(ProvidedStep.init))
    }

    /// Lets scripts work, and leaves a mark on disk for as long as they do.
    func inside<Result>(_ work: () throws -> Result) rethrows -> Result {
        marker?.enter()
        defer { marker?.leave() }
        return try work()
    }

    func report(_ message: String) {
        analytics?.report(Diagnostic(.livePlugins, message, plugin: name))
    }
}
