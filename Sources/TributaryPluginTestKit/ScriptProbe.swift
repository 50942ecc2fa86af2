import AnalyticsLive
import Foundation
import TributaryFilterTestKit
import TributaryJSON
import TributaryScript

/// Runs the plugins and the generator of a bundle on made-up events, and finds paths, names and types that no event has.
///
/// Whether a script looks for a text is found by running: an event with that text as its name, or as its type, makes
/// the script do something else than an event with another text of the same length.
struct ScriptProbe {
    /// How many texts are tried with all plugins together. A bundle with many plugins and many texts is tried with fewer.
    private static let mostTexts = 400
    /// Members that the engine itself looks for, or that every object has.
    private static let ownMembers: Set<String> = [
        "then", "toJSON", "toString", "valueOf", "constructor", "hasOwnProperty", "length", "__proto__",
    ]

    let runtime: LivePluginRuntime
    let bridge: TestRunBridge
    let texts: [ScriptNames.Place]
    let known: KnownSource?

    private(set) var findings: [BundleReview.Finding] = []
    private var reported: Set<String> = []

    init(
        runtime: LivePluginRuntime, bridge: TestRunBridge, texts: [ScriptNames.Place], known: KnownSource?
    ) {
        self.runtime = runtime
        self.bridge = bridge
        self.texts = Array(texts.prefix(max(5, Self.mostTexts / max(1, runtime.registrations.count))))
        self.known = known
    }

    mutating func run() {
        for (id, plugin) in runtime.registrations.enumerated() where plugin.stage.type != .utility {
            probe(id, plugin)
            reviewStoredTypes(of: plugin)
        }
        if runtime.hasGenerator { probeGenerator() }
    }

    // MARK: Plugins

    private mutating func probe(_ id: Int, _ plugin: LivePluginRegistration) {
        for type in Self.types(of: plugin) {
            let base = Probe.event(type: type, name: "An Event")
            if let behaviour = behaviour(of: id, on: base) { reviewPaths(behaviour, plugin.name) }
            guard ["track", "screen", "page"].contains(type) else { continue }
            for text in texts { probe(id, plugin.name, name: text, type: type) }
        }
        guard plugin.events == .all else { return }
        for text in texts where !EventShape.types.contains(text.name) {
            let matters = matters(text.name) {
                Probe.event(type: $0, name: "An Event")
            } behaviour: {
                behaviour(of: id, on: $0)
            }
            guard matters else { continue }
            let meant = SimilarName.nearest(to: text.name, among: EventShape.types)
            let hint =
                meant.map { "did you mean \"\($0)\"?" }
                ?? "types are \(EventShape.types.sorted().joined(separator: ", "))"
            report(
                .error, "\(plugin.name) looks for events of the type \"\(text.name)\", which no event has; \(hint)",
                text.line)
        }
    }

    private static func types(of plugin: LivePluginRegistration) -> [String] {
        let all: [(LivePluginEvents, String)] = [
            (.track, "track"), (.identify, "identify"), (.screen, "screen"), (.page, "page"), (.group, "group"),
            (.alias, "alias"),
        ]
        return all.filter { plugin.events.contains($0.0) }.map(\.1)
    }

    /// Tries a text as the name of an event.
    private mutating func probe(_ id: Int, _ plugin: String, name text: ScriptNames.Place, type: String) {
        let event = { (name: String) in Probe.event(type: type, name: name) }
        guard let first = behaviour(of: id, on: event(text.name)) else { return }
        reviewPaths(first, plugin)
        guard let known, known.count > 0 else { return }
        let stored = known.events[type] ?? [:]
        guard stored[text.name] == nil, matters(text.name, event, behaviour: { behaviour(of: id, on: $0) }) else {
            return
        }
        // A script may look at a part of a name, or not mind the case.
        let isPart =
            behaviour(of: id, on: event(text.name + "q")) == first
            || behaviour(of: id, on: event("q" + text.name)) == first
        let ignoresCase = behaviour(of: id, on: event(text.name.uppercased())) == first
        let wanted = ignoresCase ? text.name.lowercased() : text.name
        let isStored = stored.keys.contains { name in
            let name = ignoresCase ? name.lowercased() : name
            return isPart ? name.contains(wanted) : name == wanted
        }
        guard !isStored else { return }
        let meant = SimilarName.nearest(to: text.name, among: stored.keys)
        let hint = meant.map { "; did you mean \"\($0)\" (\(stored[$0] ?? 0) events)?" } ?? ""
        report(
            .warning,
            "\(plugin) looks for \(type) events \(isPart ? "with" : "named") \"\(text.name)\", and none of the "
                + "\(stored.values.reduce(0, +)) stored ones is\(hint)", text.line)
    }

    /// Warns of a plugin for types of events of which none is stored.
    private mutating func reviewStoredTypes(of plugin: LivePluginRegistration) {
        guard let known, known.count > 0, plugin.events != .all, !plugin.events.isEmpty else { return }
        let types = Self.types(of: plugin)
        guard types.allSatisfy({ known.events[$0]?.isEmpty ?? true }) else { return }
        report(
            .warning,
            "\(plugin.name) gets \(types.joined(separator: " and ")) events only, and none of the \(known.count) stored "
                + "events is one", nil)
    }

    // MARK: Paths

    private mutating func reviewPaths(_ behaviour: Probe.Behaviour, _ plugin: String) {
        let written = Set(behaviour.observation.uses.filter { $0.kind == .write }.map(\.path))
        let uses = behaviour.observation.uses.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        for use in uses {
            guard let last = use.path.last else { continue }
            let root = last.split(separator: ".", maxSplits: 1).first.map(String.init) ?? ""
            if last.contains("."), ["properties", "traits", "context"].contains(root) {
                let right = "event." + last
                report(
                    .error,
                    "\(plugin) uses the member \"\(last)\", and the text of a path is no member; write \(right)",
                    texts.first { $0.name == last }?.line)
            } else if use.path.count == 1, use.kind != .write, !written.contains(use.path),
                !Self.ownMembers.contains(last), case .impossible(let reason)? = EventShape.fault(of: last)
            {
                report(.error, "\(plugin) looks at event.\(last): \(reason)", nil)
            }
        }
    }

    // MARK: Generators

    private mutating func probeGenerator() {
        let types = ["interaction", "navigation", "network", "localData", "instrumentation", "userDefined"]
        for text in texts where !types.contains(text.name) {
            guard matters(text.name, Probe.signal, behaviour: { behaviour(of: $0) }) else { continue }
            let meant = SimilarName.nearest(to: text.name, among: types)
            let hint = meant.map { "did you mean \"\($0)\"?" } ?? "types are \(types.joined(separator: ", "))"
            report(
                .error, "processSignal looks for signals of the type \"\(text.name)\", which no signal has; \(hint)",
                text.line)
        }
    }

    // MARK: Runs

    /// Whether a text makes a script do something else than another text of the same form does. Each is tried twice, in
    /// another order: a script that counts, or does something else each time, says nothing.
    private func matters(
        _ text: String, _ material: (String) -> JSON, behaviour: (JSON) -> Probe.Behaviour?
    ) -> Bool {
        let other = Probe.scrambled(text)
        guard other != text, let plain = behaviour(material(other)), let first = behaviour(material(text)),
            first != plain
        else { return false }
        return behaviour(material(text)) == first && behaviour(material(other)) == plain
    }

    private func behaviour(of plugin: Int, on event: JSON) -> Probe.Behaviour? {
        bridge.begin(event)
        // A script that fails for the made-up event shows no behaviour; the load reported its faults before.
        guard let observation = try? runtime.observe(plugin: plugin, on: event) else { return nil }
        return Probe.Behaviour(observation: observation, made: bridge.takeMade().count)
    }

    private func behaviour(of signal: JSON) -> Probe.Behaviour? {
        bridge.beginSignal(signal)
        // As above, for a generator.
        guard let observation = try? runtime.observe(signal: signal) else { return nil }
        return Probe.Behaviour(observation: observation, made: bridge.takeMade().count)
    }

    /// Each finding is reported once, however many events show it.
    private mutating func report(_ severity: BundleReview.Finding.Severity, _ message: String, _ line: Int?) {
        guard reported.insert(message).inserted else { return }
        findings.append(BundleReview.Finding(severity: severity, message: message, line: line))
    }
}

/// Made-up events and signals, and what a script does with one.
enum Probe {
    /// The observed behaviour of a script.
    struct Behaviour: Equatable {
        let observation: LivePluginRuntime.Observation
        /// The number of events that it made.
        let made: Int
    }

    static func event(type: String, name: String) -> JSON {
        var event: JSON = [
            "type": .string(type), "messageId": "m-1", "anonymousId": "a-1", "userId": "u-1",
            "timestamp": "2026-01-02T03:04:05.006Z", "context": [:], "integrations": [:],
        ]
        switch type {
        case "identify": event["traits"] = [:]
        case "group": (event["groupId"], event["traits"]) = ("g-1", [:])
        case "alias": event["previousId"] = "a-1"
        case "screen", "page": (event["name"], event["properties"]) = (.string(name), [:])
        default: (event["event"], event["properties"]) = (.string(name), [:])
        }
        return event
    }

    static func signal(type: String) -> JSON {
        [
            "anonymousId": "a-1", "type": .string(type), "timestamp": "2026-01-02T03:04:05.006Z", "index": 0,
            "data": ["component": "button", "title": "A Title", "action": "entering", "screen": "A Screen"],
        ]
    }

    /// Another text with the same length, case and punctuation.
    static func scrambled(_ text: String) -> String {
        String(text.map { $0.isUppercase ? "Q" : $0.isLetter ? "q" : $0.isNumber ? "7" : $0 })
    }
}
