public import Tributary
import TributaryJSON

/// The recording of a `ClientInspector`: a value that does not change when more is recorded.
public struct InspectorLog: Sendable {
    /// A diagnostic of the client, with the order of its arrival.
    public struct Entry: Sendable, Identifiable {
        /// The number of the diagnostic since the inspector was made, from 1.
        public let id: Int
        /// The diagnostic.
        public let diagnostic: Diagnostic
    }

    /// The events, the newest first.
    public private(set) var events: [InspectedEvent] = []
    /// The signals, the newest first. None without `AnalyticsLive`.
    public private(set) var signals: [InspectedSignal] = []
    /// The diagnostics, the newest first.
    public private(set) var diagnostics: [Entry] = []
    /// The number of recorded events, including events that newer ones have replaced.
    public private(set) var recordedEvents = 0
    /// The number of recorded signals, including signals that newer ones have replaced.
    public private(set) var recordedSignals = 0
    /// The number of recorded diagnostics, including diagnostics that newer ones have replaced.
    public private(set) var recordedDiagnostics = 0

    /// Adds the client's trace of an event.
    mutating func add(trace: JSON) {
        guard let event = InspectedEvent(trace: trace, number: recordedEvents + 1) else { return }
        recordedEvents += 1
        events.insert(event, at: 0)
        if events.count > InspectorLimits.events { events.removeLast() }
    }

    /// Adds a signal as scripts get it.
    mutating func add(signal: JSON) {
        recordedSignals += 1
        signals.insert(InspectedSignal(signal, number: recordedSignals), at: 0)
        if signals.count > InspectorLimits.signals { signals.removeLast() }
    }

    mutating func add(_ diagnostic: Diagnostic) {
        recordedDiagnostics += 1
        diagnostics.insert(Entry(id: recordedDiagnostics, diagnostic: diagnostic), at: 0)
        if diagnostics.count > InspectorLimits.diagnostics { diagnostics.removeLast() }
    }
}
