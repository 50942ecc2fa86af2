package import Tributary
package import TributaryJSON

/// Counts what one version of the live plugins does with events, for health reports. Used by one at a time: on a device, on the
/// client's executor.
package final class VersionCounter {
    package let version: String
    package private(set) var health: VersionHealth
    /// The id of the latest event: it comes to several places of the timeline and counts once.
    private var event: String?
    private var isFaulty = false
    /// Whether the first fault of this process was reported.
    private var hasReported = false

    package init(version: String) {
        self.version = version
        health = VersionHealth(version: version)
    }

    /// Counts what the plugins of one place did with an event.
    package func count(_ result: LivePluginStageResult, of event: JSONObject, nanoseconds: UInt64) {
        countEvent(event["messageId"]?.stringValue)
        health.count(nanoseconds: nanoseconds)
        if result.event == nil { health.dropped += 1 }
        count(result.steps, of: event)
        guard !isFaulty, result.steps.contains(where: \.isFault) else { return }
        isFaulty = true
        health.faulty += 1
    }

    /// Counts what plugins did.
    /// - Parameter event: nil for a notice, as that of new settings.
    package func count(_ steps: [LivePluginStep], of event: JSONObject? = nil) {
        for step in steps {
            health.count(step.plugin) { plugin in
                if event != nil { plugin.seen += 1 }
                switch step.outcome {
                case .unchanged: break
                case .changed: plugin.changed += 1
                case .dropped: plugin.dropped += 1
                case .failed(let fault): plugin.count(fault, of: event)
                }
            }
        }
    }

    package func count(_ incident: VersionIncident) { health.count(incident) }

    /// Counts a fault of a generator, which has no event.
    func countGenerator(_ text: String) {
        health.count("processSignal") { plugin in
            plugin.faults += 1
            if plugin.first == nil { plugin.first = FaultNote(message: text, file: nil, line: nil, event: nil) }
        }
    }

    /// Scripts have made an event.
    package func countMade() { health.made += 1 }

    /// Whether the version has had its first fault and did not report it yet.
    package func takeFirstFault() -> Bool {
        guard !hasReported, health.hasFaults else { return false }
        hasReported = true
        return true
    }

    /// The counts since the last time.
    package func take() -> VersionHealth {
        defer { health = VersionHealth(version: version) }
        return health
    }

    /// Counts an event that has reached the version. Further calls for the same event count nothing.
    package func countEvent(_ id: String?) {
        guard id == nil || id != event else { return }
        event = id
        isFaulty = false
        health.events += 1
    }
}

extension LivePluginStep {
    fileprivate var isFault: Bool {
        if case .failed = outcome { return true }
        return false
    }
}

extension PluginHealth {
    fileprivate mutating func count(_ fault: LivePluginFault, of event: JSONObject?) {
        if fault.isBreach { breaches += 1 } else { faults += 1 }
        if fault.isSwitchedOff { isOff = true }
        guard first == nil else { return }
        first = FaultNote(
            message: FaultText.masked(fault.message, event ?? JSONObject()), file: fault.file, line: fault.line,
            event: event?["event"]?.stringValue ?? event?["name"]?.stringValue ?? event?["type"]?.stringValue)
    }
}
