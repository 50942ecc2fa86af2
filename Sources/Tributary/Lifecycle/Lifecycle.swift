import Foundation
import TributaryJSON

/// Tracks what happens to the app, and has the client do what belongs to it: new settings when the app comes to the
/// foreground, delivery while the system leaves time for it when the app goes to the background.
///
/// Unchecked because what changes is behind its lock, and `analytics` is only set while the plugin is added.
final class Lifecycle: Plugin, @unchecked Sendable {
    let type = PluginType.utility
    let name = "Lifecycle"
    weak var analytics: Analytics?

    private let tracked: TrackedLifecycleEvent
    private let application: ApplicationVersion
    private let machine: LockBox<LifecycleMachine>
    private var watch: (any LifecycleWatch)?

    init(tracked: TrackedLifecycleEvent, application: ApplicationVersion = .current) {
        self.tracked = tracked
        self.application = application
        machine = LockBox(LifecycleMachine(application: application))
    }

    func configure(analytics: Analytics) {
        self.analytics = analytics
        watch = SystemLifecycle.watch(analytics) { [weak self] in self?.take($0) }
    }

    func shutdown() { watch?.stop() }

    /// Called on the thread on which the system tells of it, mostly the main thread.
    func take(_ step: LifecycleStep) {
        guard let analytics else { return }
        let file = analytics.storageFolder.map {
            ApplicationVersionFile(url: $0.appendingPathComponent("application.json"))
        }
        let events = machine.withLock { machine in
            machine.take(step, previous: file?.load() ?? inherited, isKept: file != nil)
        }
        for event in events where tracked.contains(event.kind) {
            analytics.track(event.name, event.properties.map(JSON.object), nil, [])
        }
        if case .launched = step, let file, analytics.acceptsEvents { remember(file) }
        serve(step, analytics)
    }

    /// The version that another library saw last: an app that has one is not newly installed.
    private var inherited: ApplicationVersion? {
        analytics?.inheritedApplication.map { ApplicationVersion(version: $0.version, build: $0.build) }
    }

    /// After the event, so that a crash in between repeats it rather than losing it.
    private func remember(_ file: ApplicationVersionFile) {
        do {
            try file.store(application)
        } catch {
            analytics?.report(
                Diagnostic(.storage, "the app's version cannot be kept on disk: \(error.localizedDescription)"))
        }
    }

    private func serve(_ step: LifecycleStep, _ analytics: Analytics) {
        switch step {
        case .enteringForeground: analytics.refreshSettings()
        case .enteredBackground: SystemLifecycle.keepAwake { done in analytics.flush(completion: done) }
        default: break
        }
    }
}

/// Watches the system for what happens to the app.
protocol LifecycleWatch: Sendable {
    /// Ends it.
    func stop()
}

extension Analytics {
    /// Visits every plugin of that kind, also those of destinations.
    package func visit<Kind>(_ kind: Kind.Type, _ body: (Kind) -> Void) {
        timeline.apply { plugin in
            if let plugin = plugin as? Kind { body(plugin) }
            guard let destination = plugin as? any DestinationPlugin else { return }
            destination.timeline.apply { if let inner = $0 as? Kind { body(inner) } }
        }
    }
}
