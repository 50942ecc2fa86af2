import AnalyticsLive
import TributaryJSON
import TributaryPluginTestKit
import WorkspaceCore

/// Repeats a trial under the permissions of versions of an app, and compares the results with those without permissions.
struct RestrictedTrial {
    /// The actions that a result names; the rarer ones are left out.
    private static let mostActions = 20
    /// Bytes of the name of an action: names of events are in it.
    private static let actionBytes = 200

    /// The differences under one list of permissions.
    struct Difference {
        /// An action that the app does not allow.
        struct Refusal {
            /// The events for which a script tried it, and how many of them come out as they came in.
            var (events, unchanged) = (0, 0)
        }

        /// The events that were compared.
        var events = 0
        var isComplete = true
        /// The events that come out differently, and how many of them come out as they came in.
        var (different, unchanged) = (0, 0)
        /// The events that come out differently although no action was refused: scripts do not see what they read.
        var unseen = 0
        var refused: [String: Refusal] = [:]
        /// The actions that were refused before the first event.
        var refusedAtStart: [String] = []
        /// The reason why the bundle does not run there.
        var fault: String?
        /// The reason why it was not tried.
        var untried: String?
    }

    private let source: String
    private let name: String
    private let results: [PluginTestResult]
    private let end: ContinuousClock.Instant
    private var unsteady: Set<Int>?

    /// - Parameters:
    ///   - results: those of the bundle without permissions, in the order of the events.
    ///   - seconds: after this time, no further event is tried.
    init(source: String, name: String, results: [PluginTestResult], seconds: Double) {
        (self.source, self.name, self.results) = (source, name, results)
        end = .now + .seconds(seconds)
    }

    /// The answer about versions of the app.
    /// - Parameter hasGenerator: whether the bundle makes events of signals.
    mutating func json(of app: AppRestriction, hasGenerator: Bool) -> JSON {
        let difference =
            app.isCut ? Self.untried("its list of permissions is too long for a report") : tried(app.allows)
        var json = app.json
        json["events"] = .number(difference.events)
        json["complete"] = .bool(difference.isComplete)
        json["different"] = .number(difference.different)
        json["unchanged"] = .number(difference.unchanged)
        json["unseen"] = .number(difference.unseen)
        json["refused"] = .array(Self.refused(difference))
        json["refusedAtStart"] = .strings(difference.refusedAtStart.prefix(Self.mostActions).map(Self.cut))
        json["lacksSignals"] = .bool(hasGenerator && !app.isCut && !app.allows.contains("readSignals"))
        json["fault"] = .string(difference.fault)
        json["untried"] = .string(difference.untried)
        return .object(json)
    }

    private static func untried(_ reason: String) -> Difference {
        var difference = Difference()
        (difference.isComplete, difference.untried) = (false, reason)
        return difference
    }

    private static func refused(_ difference: Difference) -> [JSON] {
        let sorted = difference.refused.sorted { ($1.value.events, $0.key) < ($0.value.events, $1.key) }
        return sorted.prefix(mostActions).map { action, refusal in
            [
                "action": .string(cut(action)), "events": .number(refusal.events),
                "unchanged": .number(refusal.unchanged),
            ]
        }
    }

    private static func cut(_ action: String) -> String {
        action.utf8.count <= actionBytes
            ? action : String(decoding: action.utf8.prefix(actionBytes), as: UTF8.self) + "…"
    }

    private mutating func tried(_ allows: [String]) -> Difference {
        let permissions = allows.map { ScriptPermission($0) }
        guard !permissions.contains(nil) else {
            return Self.untried("this workspace does not know all of its permissions")
        }
        var difference = Difference()
        let testRun: PluginTestRun
        do {
            testRun = try PluginTestRun(source: source, name: name, allow: permissions.compactMap(\.self))
        } catch {
            difference.fault = "\(error)"
            return difference
        }
        difference.refusedAtStart = testRun.refusedAtStart
        for (place, result) in results.enumerated() {
            guard ContinuousClock.now < end else {
                difference.isComplete = false
                break
            }
            add(testRun.run(result.before), at: place, to: &difference)
        }
        return difference
    }

    private mutating func add(_ restricted: PluginTestResult, at place: Int, to difference: inout Difference) {
        difference.events += 1
        let isUnchanged = restricted.after == restricted.before && restricted.sent.isEmpty
        for action in restricted.refused {
            difference.refused[action, default: Difference.Refusal()].events += 1
            if isUnchanged { difference.refused[action]?.unchanged += 1 }
        }
        guard !Self.isSame(restricted, results[place]), !isUnsteady(place) else { return }
        difference.different += 1
        if isUnchanged { difference.unchanged += 1 }
        if restricted.refused.isEmpty { difference.unseen += 1 }
    }

    private static func isSame(_ one: PluginTestResult, _ other: PluginTestResult) -> Bool {
        one.after == other.after && one.sent.map(comparable) == other.sent.map(comparable)
    }

    /// An event that a script made, without the id that it got by chance.
    private static func comparable(_ event: JSON) -> JSON {
        var event = event
        event["messageId"] = nil
        return event
    }

    /// Whether an event comes out differently each time, as with the time or with chance in it. Then a difference says
    /// nothing about permissions.
    private mutating func isUnsteady(_ place: Int) -> Bool {
        if let unsteady { return unsteady.contains(place) }
        var found: Set<Int> = []
        if let again = try? PluginTestRun(source: source, name: name) {
            for (place, result) in results.enumerated() where ContinuousClock.now < end {
                if !Self.isSame(again.run(result.before), result) { found.insert(place) }
            }
        }
        unsteady = found
        return found.contains(place)
    }
}
