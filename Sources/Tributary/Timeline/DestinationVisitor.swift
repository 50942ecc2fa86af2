/// Takes events through the timeline of a destination on the device, on the destination's thread.
///
/// Unchecked because it is only used on that thread, except for its constants.
final class DestinationVisitor: @unchecked Sendable {
    /// The scripts in the destination's timeline, which run on the executor.
    enum Scripts {
        /// There are none.
        case none
        /// They have seen the event, because no plugins come before them.
        case done
        /// They run after the plugins of their type.
        case betweenPlugins
    }

    private let plugin: any Plugin
    private let key: String
    /// The timeline of the destination; nil for a plugin without one.
    private let timeline: Timeline?
    private let executorKey: ExecutorKey
    private weak var owner: (any DestinationQueueOwner)?
    /// The event that the destination has now, and the number of ids that were derived from it.
    private var current: (event: any RawEvent, derivedIds: Int)?
    private var visit = DestinationVisit()

    init(_ plugin: any Plugin, key: String, _ executorKey: ExecutorKey, owner: any DestinationQueueOwner) {
        self.plugin = plugin
        self.key = key
        self.executorKey = executorKey
        self.owner = owner
        timeline = (plugin as? any DestinationPlugin)?.timeline
    }

    /// Takes an event through the destination's timeline. It uses the plugins that are there now, so a plugin that was
    /// removed sees no event that was queued before.
    func visit(
        _ event: any RawEvent, _ scripts: Scripts, _ inFlight: InFlightEvent, at queue: DestinationQueue
    ) -> DestinationVisit {
        current = (event, 0)
        visit = DestinationVisit()
        defer { current = nil }
        deliver(event, scripts, inFlight, at: queue)
        return visit
    }

    /// A new id for an event that the destination makes of its current event. A replay makes the same id.
    func derivedId() -> String? {
        guard let current, let messageId = current.event.messageId else { return nil }
        self.current?.derivedIds += 1
        let place = String(Identifiers.fnv1a(key.utf8) & 0xFFFF_FFFF, radix: 16)
        return Identifiers.derived(from: "\(messageId)-\(place)", ordinal: current.derivedIds + 1)
    }

    private func deliver(
        _ event: any RawEvent, _ scripts: Scripts, _ inFlight: InFlightEvent, at queue: DestinationQueue
    ) {
        let plugins = timeline?.snapshot
        // Usually the timeline is empty.
        let isEmpty = scripts != .betweenPlugins && plugins?.isEmpty ?? true
        guard let prepared = isEmpty ? event : prepare(event, scripts, plugins, inFlight, at: queue) else { return }
        guard let taken = call(plugin, prepared) else { return visit.end = .refused }
        visit.end = .delivered
        let seen = isEmpty ? taken : run(taken, plugins?.after ?? [], .after, inFlight.run)
        // Only scripts see this event.
        if !inFlight.run.bundleVersions.isEmpty { visit.afterPlugins = seen }
    }

    /// Takes an event through the plugins and scripts before the destination; nil when one of them dropped it.
    private func prepare(
        _ event: any RawEvent, _ scripts: Scripts, _ plugins: Timeline.Snapshot?, _ inFlight: InFlightEvent,
        at queue: DestinationQueue
    ) -> (any RawEvent)? {
        var current = event
        for type in [PluginType.before, .enrichment] {
            let entries = type == .before ? plugins?.before : plugins?.enrichment
            guard let next = run(current, entries ?? [], type, inFlight.run) else { return nil }
            current = next
            guard scripts == .betweenPlugins else { continue }
            guard let next = owner?.runScripts(current, type, visit, at: queue, of: inFlight) else {
                visit.end = .stoppedByScript
                return nil
            }
            visit.steps = []
            current = next
        }
        return current
    }

    private func run(
        _ event: any RawEvent, _ entries: [Timeline.Entry], _ type: PluginType, _ eventRun: EventRun
    ) -> (any RawEvent)? {
        var current = event
        for entry in entries where !entry.isOnExecutor {
            let next = entry.turns.take {
                guard let timed = entry.timed else { return call(entry.plugin, current) }
                return timed.execute(event: current, trackedAt: eventRun.record.trackedAt)
            }
            if eventRun.recorder != nil {
                visit.steps.append(
                    DestinationVisit.Step(
                        stage: Stage(type), plugin: entry.name, before: current.json, after: next?.json))
            }
            guard let next else {
                if type != .after { visit.end = .stopped(by: entry.name) }
                return nil
            }
            current = next
        }
        return current
    }

    /// The frequent type by its name, so that the compiler makes a version of the call for it. A type that is found at run
    /// time would be looked up again at every step. The rare types share one version, which keeps the code small.
    private func call(_ plugin: any Plugin, _ event: any RawEvent) -> (any RawEvent)? {
        if let event = event as? TrackEvent { return typedCall(plugin, event) }
        return typedCall(plugin, event)
    }

    private func typedCall<Event: RawEvent>(_ plugin: any Plugin, _ event: Event) -> (any RawEvent)? {
        switch executorKey.call(plugin, event) {
        case nil: return nil
        case .same(let result): return result
        case .other(let other):
            if let known = other.event.replacing(event) { return known }
            owner?.report(.unknownType(other.event, of: plugin.name, destination: key))
            return event
        }
    }
}
