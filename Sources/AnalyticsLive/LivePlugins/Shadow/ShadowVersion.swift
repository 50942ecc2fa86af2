import Dispatch
import Tributary
import TributaryJSON
import TributaryScript

/// A version of the bundle that runs beside the present one. Its scripts get the same events and signals. The client compares their
/// outcome with that of the present version, and then throws it away.
///
/// It runs at the places before the destinations of the client's own timeline. Only used on the client's executor.
final class ShadowVersion {
    let bundle: ScriptBundle
    let runtime: any PluginRuntime
    private let bridge: ShadowBridge
    private let counter: ShadowCounter
    private let marker: RunMarker?
    private let isPowerLow: () -> Bool
    private var pending: PendingEvent?

    /// An event between two places of the timeline.
    private struct PendingEvent {
        /// The event as the present version left it.
        var present: JSONObject
        /// The event as the shadow left it; nil when the shadow has dropped it.
        var shadow: JSONObject?
        var made: MadeEvents
        var shadowMade: MadeEvents
    }

    /// - Parameters:
    ///   - marker: says on disk during which work the process ended; nil without a folder.
    ///   - isPowerLow: whether the device saves power. Then the shadow sees no event.
    init(
        _ bundle: ScriptBundle, _ runtime: any PluginRuntime, _ bridge: ShadowBridge, counter: ShadowCounter,
        marker: RunMarker?, isPowerLow: @escaping () -> Bool
    ) {
        (self.bundle, self.runtime, self.bridge, self.counter) = (bundle, runtime, bridge, counter)
        (self.marker, self.isPowerLow) = (marker, isPowerLow)
    }

    /// Takes an event through the shadow's plugins at a place, after the present version had it there.
    /// - Parameters:
    ///   - event: the event as the present version got it.
    ///   - result: the event as the present version left it; nil when it dropped it.
    ///   - made: the events that the present version made.
    func follow(_ event: JSONObject, at type: PluginType, to result: JSONObject?, made: MadeEvents) {
        guard type == .before || type == .enrichment else { return }
        if type == .before {
            pending =
                isPowerLow()
                ? nil
                : PendingEvent(
                    present: event, shadow: event, made: MadeEvents(), shadowMade: MadeEvents())
        }
        guard var pending, pending.present["messageId"] == event["messageId"] else { return }
        if let shadow = pending.shadow {
            let own = ShadowComparison.replaying(from: pending.present, to: event, on: shadow)
            pending.shadow = run(own, at: type)
        }
        pending.made.append(made)
        pending.shadowMade.append(bridge.takeMade())
        guard let result, type == .before else {
            self.pending = nil
            return count(pending, result)
        }
        pending.present = result
        self.pending = pending
    }

    /// Lets the shadow's generators process a signal, after the present version's.
    func follow(_ record: SignalRecord, distance: Int, oldest: Int, made: MadeEvents) {
        guard !isPowerLow(), runtime.failure == nil else { return }
        do {
            try inside(.signal(record.json)) {
                try runtime.process(record.json, text: record.text, distance: distance, oldest: oldest)
            }
        } catch {
            counter.countGenerator(FaultText.masked("\(error)", record.json.objectValue ?? [:]))
        }
        counter.count(ShadowComparison.differences(of: made, from: bridge.takeMade()))
    }

    func update(settings: JSON, initial: Bool) {
        notice(.update) { runtime.update(settings: settings, initial: initial) }
    }

    func reset() { notice(.reset) { runtime.reset() } }

    func flush() { notice(.flush) { runtime.flush() } }

    func refill(size: Int, with text: String) throws {
        try inside(.load) { try runtime.refillSignals(size: size, text: text) }
    }

    private func notice(_ work: ScriptWork, _ body: () -> [LivePluginStep]) {
        counter.count(inside(work, body))
        // Events that scripts make at a notice are compared with nothing.
        _ = bridge.takeMade()
    }

    private func run(_ event: JSONObject, at type: PluginType) -> JSONObject? {
        guard let place = LivePluginType(type) else { return event }
        let eventType = event["type"]?.stringValue ?? ""
        guard runtime.handles(type: place, destination: nil, eventType: eventType) else { return event }
        let start = DispatchTime.now().uptimeNanoseconds
        let result = inside(.event(event)) { runtime.take(.object(event), at: place, of: nil) }
        counter.count(result, of: event, nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
        return result.event?.objectValue
    }

    private func count(_ pending: PendingEvent, _ result: JSONObject?) {
        // Without its engine, the shadow would seem to change nothing.
        guard runtime.failure == nil else { return }
        counter.countEvent(pending.present["messageId"]?.stringValue)
        counter.count(
            ShadowComparison.differences(of: result, from: pending.shadow)
                + ShadowComparison.differences(of: pending.made, from: pending.shadowMade))
    }

    private func inside<Result>(_ work: ScriptWork, _ body: () throws -> Result) rethrows -> Result {
        marker?.enter(work)
        defer { marker?.leave() }
        return try body()
    }
}

/// Counts what a shadow does, for health reports.
final class ShadowCounter {
    private let run: VersionCounter
    private var health: ShadowHealth

    init(version: String) {
        run = VersionCounter(version: version)
        health = ShadowHealth(run: VersionHealth(version: version))
    }

    var version: String { run.version }

    func countEvent(_ id: String?) { run.countEvent(id) }

    func count(_ result: LivePluginStageResult, of event: JSONObject, nanoseconds: UInt64) {
        run.count(result, of: event, nanoseconds: nanoseconds)
    }

    func count(_ steps: [LivePluginStep]) { run.count(steps) }

    func count(_ incident: VersionIncident) { run.count(incident) }

    func countGenerator(_ text: String) { run.countGenerator(text) }

    func count(_ differences: [EventDifference]) {
        for difference in differences { health.count(difference) }
    }

    /// Whether it has had its first fault and did not report it yet.
    func takeFirstFault() -> Bool { run.takeFirstFault() }

    /// The counts since the last time.
    func take() -> ShadowHealth {
        defer { health = ShadowHealth(run: VersionHealth(version: version)) }
        health.run = run.take()
        return health
    }
}
