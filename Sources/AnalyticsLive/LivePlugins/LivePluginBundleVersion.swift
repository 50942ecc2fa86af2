import Dispatch
import Tributary
import TributaryJSON
import TributaryScript

/// A running version of the bundle. It stays until all events that began with it are done.
///
/// Only used on the client's executor.
final class LivePluginBundleVersion: BundleVersion {
    let bundle: ScriptBundle
    let runtime: any PluginRuntime
    let name = "LivePlugins"
    var deployedVersion: Int? { bundle.version }
    /// The counts of the version, for health reports.
    let counter: VersionCounter
    private let client: LivePluginClient
    private weak var owner: LivePlugins?
    /// Events under way that will use this version again.
    private var holders = 0
    private(set) var isRetired = false
    /// Whether a collision of two numbers was reported. Otherwise each event would report it.
    var hasReportedCollision = false
    /// Changes that the app did not allow, and that were reported. Otherwise each event would report them.
    private var reportedRefusals: Set<LivePluginStep> = []
    /// The faults and breaches of the bundle's generators.
    var generators = GeneratorFaults()
    /// The version that runs beside this one; nil when there is none.
    var shadow: ShadowVersion? {
        didSet { client.recordMade(shadow != nil) }
    }

    init(_ bundle: ScriptBundle, _ runtime: any PluginRuntime, _ client: LivePluginClient, owner: LivePlugins) {
        self.bundle = bundle
        self.runtime = runtime
        self.client = client
        self.owner = owner
        counter = client.counter
        runtime.noticeHandler = { [weak self] steps in
            guard let self else { return }
            self.owner?.report(steps, of: self)
        }
    }

    /// Whether no event needs this version any more.
    var isOver: Bool { isRetired && holders == 0 }

    func hold() { holders += 1 }

    func release() {
        holders -= 1
        if isOver { owner?.end(self) }
    }

    /// Whether the step is a change that the app does not allow, and that was reported before.
    func hasReportedRefusal(_ step: LivePluginStep) -> Bool {
        guard case .failed(let fault) = step.outcome, fault.isRefusal else { return false }
        guard reportedRefusals.count < LivePluginLimits.reportedRefusals else { return true }
        return !reportedRefusals.insert(step).inserted
    }

    /// Called when another version processes the next events.
    func retire() {
        isRetired = true
        shadow = nil
    }

    func run(
        _ json: JSONObject, eventType: String, at type: PluginType, destination: String?
    ) -> HostedResult? {
        guard let shadow, destination == nil else {
            return runPlugins(json, eventType: eventType, at: type, destination: destination)
        }
        let hosted = runPlugins(json, eventType: eventType, at: type, destination: nil)
        shadow.follow(json, at: type, to: hosted.map(\.event) ?? json, made: client.takeMade())
        owner?.shadows?.check()
        return hosted
    }

    /// Lets the shadow process a signal, after this version's generators.
    func followShadow(_ record: SignalRecord, distance: Int, oldest: Int) {
        guard let shadow else { return }
        shadow.follow(record, distance: distance, oldest: oldest, made: client.takeMade())
        owner?.shadows?.check()
    }

    private func runPlugins(
        _ json: JSONObject, eventType: String, at type: PluginType, destination: String?
    ) -> HostedResult? {
        guard let place = LivePluginType(type),
            runtime.handles(type: place, destination: destination, eventType: eventType), let owner
        else { return nil }
        let start = DispatchTime.now().uptimeNanoseconds
        let result = owner.inside(.event(json), of: self) {
            runtime.take(.object(json), at: place, of: destination)
        }
        counter.count(result, of: json, nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
        owner.report(result, of: self)
        return HostedResult(event: result.event?.objectValue, steps: result.steps.map(HostedStep.init))
    }

    func stands(at type: PluginType, destination: String) -> Bool {
        LivePluginType(type).map { runtime.stands(type: $0, destination: destination) } ?? false
    }
}
