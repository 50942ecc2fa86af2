import Tributary
import TributaryFilters
import TributaryJSON

/// Counts what one version of the rules does with events, for health reports. Only used on the client's executor.
final class FilterCounter {
    let version: String
    /// Rules of the version that this device cannot read.
    private let problems: Int
    private var health: FilterHealth
    /// Whether the problems, and the first failure of this process, were reported.
    private var hasToldProblems = false
    private var hasToldFailure = false
    private var hasTakenProblems = false

    init(version: Int, destinations: [String], problems: Int) {
        self.version = String(version)
        self.problems = problems
        health = FilterHealth(version: self.version)
        count(for: destinations)
    }

    /// Counts for these destinations, too.
    func count(for destinations: [String]) {
        for destination in destinations { health.count(for: destination) }
    }

    /// Counts the outcome of an event for a destination; events for destinations that no rule names are not counted.
    /// - Parameter isBeforePlugins: whether the client's live plugins have no bundle to run yet.
    func count(_ outcome: FilterOutcome, _ event: JSONObject, destination: String, isBeforePlugins: Bool) {
        let isCounted = health.count(destination) { counts in
            counts.events += 1
            switch outcome.result {
            case .kept: break
            case .changed: counts.changed += 1
            case .dropped: counts.dropped += 1
            }
            if !outcome.failedRules.isEmpty { counts.faulty += 1 }
        }
        if isCounted, isBeforePlugins { health.isBeforePlugins = true }
        guard let rule = outcome.failedRules.first, health.first == nil else { return }
        health.first = FaultNote(
            message: "rule \(rule) could not do all its work", file: nil, line: nil,
            event: event["event"]?.stringValue ?? event["name"]?.stringValue ?? event["type"]?.stringValue,
            destination: destination)
    }

    /// Whether the version has had its first failure and did not report it yet.
    func takeFirstFault() -> Bool {
        let isNew = (problems > 0 && !hasToldProblems) || (health.first != nil && !hasToldFailure)
        hasToldProblems = hasToldProblems || problems > 0
        hasToldFailure = hasToldFailure || health.first != nil
        return isNew
    }

    /// The counts since the last time.
    func take() -> FilterHealth {
        var taken = health
        // Once without events, so that a version without any is not reported for ever.
        if problems > 0, !taken.isEmpty || !hasTakenProblems {
            taken.problems = problems
            hasTakenProblems = true
        }
        health.forget()
        return taken
    }
}
