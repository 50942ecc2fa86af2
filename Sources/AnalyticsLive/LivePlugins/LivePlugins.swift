import Dispatch
public import Foundation
public import Tributary
package import TributaryJSON
import TributaryScript

/// Runs the JavaScript plugins that the workspace deploys, in the timeline like any other plugin.
///
/// Events wait, on disk, until the first bundle runs or is known to be out of reach. A new version that comes with
/// the settings replaces the running one between two events, without a restart of the app. When no bundle can be had,
/// the last one that worked runs, else the fallback file. A script that fails never costs an event.
///
/// Unchecked because everything that changes is only touched by the client's executor; `configure` comes before.
public final class LivePlugins: EventPlugin, WaitingPlugin, StageProvider, @unchecked Sendable {
    private struct Running {
        let bundle: ScriptBundle
        let runtime: LivePluginRuntime
        let client: LivePluginClient
    }

    /// Seconds until a download that failed is tried again; doubled each time, up to the last.
    private static let retryDelays: [TimeInterval] = [2, 4, 8, 16, 32, 64, 128, 300]

    public let type = PluginType.utility
    public let name = "LivePlugins"
    public weak var analytics: Analytics?

    private let fallbackFileURL: URL?
    private let isFallbackForced: Bool
    private var source: BundleSource?
    private var settings = Settings()
    private var running: Running?
    /// What was asked for last; nil while nothing was, an empty value when the settings name no bundle.
    private var asked: BundleReference??
    /// Which of the requests counts: an answer to an older one comes too late.
    private var request = 0
    private var attempts = 0

    /// - Parameters:
    ///   - fallbackFileURL: a script that comes with the app, for the first launch and for when the network is away.
    ///   - force: whether the fallback runs in any case, for development. Default: false.
    public init(fallbackFileURL: URL?, force: Bool = false) {
        self.fallbackFileURL = fallbackFileURL
        isFallbackForced = force
    }

    public func configure(analytics: Analytics) {
        self.analytics = analytics
        source = BundleSource(
            store: analytics.storageFolder.map(BundleStore.init(folder:)), transport: analytics.transport,
            fallback: fallbackFileURL, isFallbackForced: isFallbackForced
        ) { [weak self] problem in self?.report(problem) }
    }

    public func update(settings: Settings, type: UpdateType) {
        self.settings = settings
        let reference = BundleReference(edgeFunction: settings.edgeFunction)
        if let running { tell(running.runtime.update(settings: .object(settings.document), initial: false)) }
        if let asked, asked == reference { return }
        asked = .some(reference)
        attempts = 0
        if type == .initial { analytics?.pauseEventProcessing(plugin: self) }
        fetch(reference)
    }

    public func reset() { tell(running?.runtime.reset() ?? []) }

    public func flush() { tell(running?.runtime.flush() ?? []) }

    public func shutdown() {
        running?.runtime.teardown()
        running = nil
    }

    // MARK: Bundles

    private func fetch(_ reference: BundleReference?) {
        request += 1
        let number = request
        source?.bundle(for: reference) { [weak self] supply in
            guard let self else { return }
            analytics?.performBetweenEvents { self.arrived(supply, for: reference, number) }
        }
    }

    private func arrived(_ supply: BundleSupply, for reference: BundleReference?, _ number: Int) {
        guard number == request else { return }
        switch supply {
        case .bundle(let bundle, let isNew):
            if install(bundle) {
                if isNew { keep(bundle) }
            } else if running == nil, let spare = source?.spare(besides: bundle) {
                install(spare)
            }
        case .nothing:
            if running != nil { report("live plugins are switched off") }
            shutdown()
        case .failure(let reason, let spare):
            report("version \(reference?.version ?? 0) cannot be had: \(reason)")
            if running == nil, let spare { install(spare) }
            retry(reference, number)
        }
        analytics?.resumeEventProcessing(plugin: self)
    }

    /// Lets a bundle run in the place of the one before; that one stays when the new one does not even load.
    @discardableResult
    private func install(_ bundle: ScriptBundle) -> Bool {
        guard bundle != running?.bundle else { return true }
        guard let analytics else { return false }
        let client = LivePluginClient(analytics: analytics)
        do {
            let runtime = try LivePluginRuntime(
                writeKey: analytics.writeKey, version: bundle.versionText, bridge: client)
            runtime.noticeHandler = { [weak self] steps in self?.tell(steps) }
            do {
                try runtime.load(source: bundle.source, name: bundle.fileName)
            } catch {
                runtime.teardown()
                throw error
            }
            running?.runtime.teardown()
            running = Running(bundle: bundle, runtime: runtime, client: client)
            let names = runtime.registrations.map(\.name).joined(separator: ", ")
            report("version \(bundle.versionText) runs: \(names.isEmpty ? "no plugins" : names)")
            tell(runtime.update(settings: .object(settings.document), initial: true))
            return true
        } catch {
            let other = running.map { ", version \($0.bundle.versionText) goes on" } ?? ""
            report("version \(bundle.versionText) is refused\(other): \(error)")
            return false
        }
    }

    private func keep(_ bundle: ScriptBundle) {
        source?.keep(bundle) { [weak self] error in
            self?.report("version \(bundle.versionText) cannot be kept on disk: \(error)")
        }
    }

    private func retry(_ reference: BundleReference?, _ number: Int) {
        let delay = Self.retryDelays[min(attempts, Self.retryDelays.count - 1)]
        attempts += 1
        analytics?.time.schedule(after: delay, on: .global()) { [weak self] in
            guard let self else { return }
            analytics?.performBetweenEvents {
                if number == self.request { self.fetch(reference) }
            }
        }
    }

    // MARK: Events

    package func run(
        _ json: JSONObject, eventType: String, at type: PluginType, destination: String?
    ) -> ProvidedStage? {
        guard let runtime = running?.runtime, let place = LivePluginType(type),
            runtime.handles(type: place, destination: destination, eventType: eventType)
        else { return nil }
        let result = runtime.run(type: place, destination: destination, event: .object(json))
        reportFaults(result.steps)
        if let failure = runtime.failure { giveUp(failure) }
        var event = result.event?.objectValue
        // What an event is cannot be changed on its way: the next plugins and servers go by it.
        if let type = json["type"], event?["type"] != type { event?["type"] = type }
        return ProvidedStage(event: event, steps: result.steps.map(ProvidedStep.init))
    }

    /// The engine can run nothing any more, so the scripts are let go.
    private func giveUp(_ failure: ScriptError) {
        report("the scripts were stopped: \(failure)")
        shutdown()
    }

    private func tell(_ steps: [LivePluginStep]) { reportFaults(steps) }

    private func reportFaults(_ steps: [LivePluginStep]) {
        for step in steps {
            guard case .failed(let fault) = step.outcome else { continue }
            analytics?.report(Diagnostic(.pluginFault, fault.text, plugin: step.plugin))
        }
    }

    private func report(_ message: String) {
        analytics?.report(Diagnostic(.livePlugins, message, plugin: name))
    }
}

extension LivePluginType {
    /// The place of scripts for native plugins of a type; nil where scripts cannot stand.
    init?(_ type: PluginType) {
        switch type {
        case .before: self = .before
        case .enrichment: self = .enrichment
        case .after: self = .after
        case .destination, .utility: return nil
        }
    }
}

extension LivePluginFault {
    /// The fault on one line, with its place in the script.
    var text: String {
        let place = [file, line.map(String.init)].compactMap { $0 }.joined(separator: ":")
        return message + (place.isEmpty ? "" : " (\(place))")
            + (isSwitchedOff ? "; the plugin is off until the next version" : "")
    }
}

extension ProvidedStep {
    init(_ step: LivePluginStep) {
        switch step.outcome {
        case .unchanged: self.init(plugin: step.plugin, outcome: .unchanged)
        case .changed: self.init(plugin: step.plugin, outcome: .changed)
        case .dropped: self.init(plugin: step.plugin, outcome: .dropped)
        case .failed(let fault): self.init(plugin: step.plugin, outcome: .failed, note: fault.text)
        }
    }
}
