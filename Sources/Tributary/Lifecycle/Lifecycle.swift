import Foundation
import TributaryJSON

/// Tracks the app's lifecycle events. It also makes the client fetch settings when the app comes to the foreground, and
/// deliver events in the time that the system grants when the app goes to the background.
///
/// Unchecked because changing state is behind its lock, and `analytics` is only set while the plugin is added.
final class Lifecycle: Plugin, @unchecked Sendable {
    let type = PluginType.utility
    let name = "Lifecycle"
    weak var analytics: Analytics?

    private let tracked: TrackedLifecycleEvent
    private let application: ApplicationVersion
    private let machine: LockBox<LifecycleMachine>
    private var watch: (any LifecycleWatch)?
    private var copy: BackgroundCopy?
    private var permit: Observation?

    /// The client's work in the background. It calls its argument when it is done.
    typealias BackgroundWork = @Sendable (@escaping @Sendable () -> Void) -> Void

    private let keepAwake: @Sendable (@escaping BackgroundWork) -> Void

    /// - Parameter keepAwake: asks the system to let the app work until the work is done.
    init(
        tracked: TrackedLifecycleEvent, application: ApplicationVersion = .current,
        keepAwake: @escaping @Sendable (@escaping BackgroundWork) -> Void = { SystemLifecycle.keepAwake($0) }
    ) {
        self.tracked = tracked
        self.application = application
        self.keepAwake = keepAwake
        machine = LockBox(LifecycleMachine(application: application))
    }

    func configure(analytics: Analytics) {
        self.analytics = analytics
        copy = analytics.makeCopySender().map(BackgroundCopy.init)
        if let copy {
            // A refusal from an earlier launch counts as well: that process may have ended before it withdrew the copy.
            permit = analytics.observePermit { if $0 == .refused { copy.withdraw() } }
        }
        watch = SystemLifecycle.watch(analytics) { [weak self] in self?.take($0) }
    }

    func shutdown() {
        watch?.stop()
        permit?.cancel()
        copy?.close()
    }

    /// Withdraws the copy that the system has not sent, because its events are deleted. This also works in the
    /// background, when the user does not open the app.
    func withdrawCopy() { copy?.withdraw() }

    /// Takes a step, on the thread on which the system reports it: mostly the main thread.
    func take(_ step: LifecycleStep) {
        guard let analytics else { return }
        let milliseconds = analytics.values.time.milliseconds
        if !analytics.holds(.init(event: { [weak self] in self?.conclude(step, at: milliseconds, $0) })) {
            conclude(step, at: milliseconds, analytics)
        }
        serve(step, analytics)
    }

    /// Tracks the events of a step, once the disk can be read.
    private func conclude(_ step: LifecycleStep, at milliseconds: Int64, _ analytics: Analytics) {
        let file = analytics.keptFile(ApplicationVersionFile.name).map(ApplicationVersionFile.init)
        let known = Result { try file?.load() ?? inherited }
        // When the file cannot be read, it is unknown whether the app ran before.
        let isKept = file != nil && known.failure == nil
        let events = machine.withLock { machine in
            machine.take(step, previous: (try? known.get()) ?? nil, isKept: isKept)
        }
        for event in events where tracked.contains(event.kind) {
            let track = TrackEvent(event: event.name, properties: event.properties.map(JSON.object))
            let stamp = Analytics.CallStamp(messageId: analytics.newMessageId(), milliseconds: milliseconds)
            analytics.recordNow(track.json, nil, [], stamp)
        }
        if case .launched = step, isKept, let file, analytics.acceptsEvents { remember(file) }
    }

    /// The version that another library saw last. With one, the app does not count as newly installed.
    private var inherited: ApplicationVersion? {
        analytics?.inheritedApplication.withLock { $0 }.map { ApplicationVersion(version: $0.version, build: $0.build) }
    }

    /// Stores the version after the events were tracked. A crash in between repeats the events; in the other order it
    /// would lose them.
    private func remember(_ file: ApplicationVersionFile) {
        do {
            try file.store(application)
        } catch {
            analytics?.report(
                Diagnostic(.storage, "the app's version cannot be stored on disk: \(error)"))
        }
    }

    private func serve(_ step: LifecycleStep, _ analytics: Analytics) {
        switch step {
        case .launched(_, _, let isInBackground):
            if !isInBackground { copy?.withdraw() }
            analytics.settingsLoader.note(isInForeground: !isInBackground)
        case .enteringForeground:
            copy?.withdraw()
            analytics.settingsLoader.note(isInForeground: true)
            analytics.refreshSettings()
        case .becameActive: analytics.settingsLoader.note(isInForeground: true)
        case .enteredBackground:
            analytics.settingsLoader.note(isInForeground: false)
            keepAwake { [self] done in send(analytics, done) }
        default: break
        }
    }

    /// Sends waiting events. When the network fails, the system gets a copy of them.
    private func send(_ analytics: Analytics, _ done: @escaping @Sendable () -> Void) {
        let mark = copy?.mark
        analytics.requestFlush { [copy] in
            guard let copy, let mark else { return done() }
            copy.leave(analytics.uploader, since: mark, done)
        }
    }
}

/// Observes the lifecycle of the app in its system.
protocol LifecycleWatch: Sendable {
    /// Ends the observation.
    func stop()
}

extension Analytics {
    /// Sends a copy of the waiting events while the process is suspended; nil where that is not configured or not
    /// possible.
    fileprivate func makeCopySender() -> (any CopySender)? {
        guard values.uploadsInBackground, let storageFolder, !values.program.isExtension else { return nil }
        let name = BackgroundName.name(of: storageFolder, home: NSHomeDirectory())
        if let make = values.makeCopySender { return make(name, storageFolder) }
        #if canImport(Darwin) && !os(macOS)
        return BackgroundSession(name: name, folder: storageFolder)
        #else
        return nil
        #endif
    }

    /// Visits every plugin of a kind, also those of destinations.
    package func visit<Kind>(_ kind: Kind.Type, _ body: (Kind) -> Void) {
        timeline.apply { plugin in
            if let plugin = plugin as? Kind { body(plugin) }
            guard let destination = plugin as? any DestinationPlugin else { return }
            destination.timeline.apply { if let inner = $0 as? Kind { body(inner) } }
        }
    }
}
