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
        let milliseconds = analytics.values.time.milliseconds
        if !analytics.holds(.init(event: { [weak self] in self?.conclude(step, at: milliseconds, $0) })) {
            conclude(step, at: milliseconds, analytics)
        }
        serve(step, analytics)
    }

    /// Tracks what follows from it, once the disk can be read.
    private func conclude(_ step: LifecycleStep, at milliseconds: Int64, _ analytics: Analytics) {
        let file = analytics.keptFile(ApplicationVersionFile.name).map(ApplicationVersionFile.init)
        let known = Result { try file?.load() ?? inherited }
        // Of a file that cannot be read nobody knows whether the app ran before.
        let isKept = file != nil && known.failure == nil
        let events = machine.withLock { machine in
            machine.take(step, previous: (try? known.get()) ?? nil, isKept: isKept)
        }
        for event in events where tracked.contains(event.kind) {
            let track = TrackEvent(event: event.name, properties: event.properties.map(JSON.object))
            let moment = Analytics.Moment(messageId: analytics.newMessageId(), milliseconds: milliseconds)
            analytics.recordNow(track.json, nil, [], moment)
        }
        if case .launched = step, isKept, let file, analytics.acceptsEvents { remember(file) }
    }

    /// The version that another library saw last: an app that has one is not newly installed.
    private var inherited: ApplicationVersion? {
        analytics?.inheritedApplication.withLock { $0 }.map { ApplicationVersion(version: $0.version, build: $0.build) }
    }

    /// After the event, so that a crash in between repeats it rather than losing it.
    private func remember(_ file: ApplicationVersionFile) {
        do {
            try file.store(application)
        } catch {
            analytics?.report(
                Diagnostic(.storage, "the app's version cannot be kept on disk: \(error)"))
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
