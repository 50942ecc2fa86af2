import AnalyticsLive
import Foundation
import TributaryFilterTestKit
import TributaryJSON
import TributaryScript

/// Finds parts of a bundle that load and cannot do what they say, or probably do not.
///
/// The bundle runs in the engine of a device. Names in its text are only candidates: the engine says which class a name
/// is, which plugins were made and added, and which members of an event a plugin looks at.
struct ScriptReview {
    /// The methods that the library calls.
    private static let methods = [
        "process", "execute", "track", "identify", "screen", "page", "group", "alias", "update", "reset", "flush",
    ]

    private(set) var findings: [BundleReview.Finding] = []
    private let names: ScriptNames
    private let runtime: LivePluginRuntime
    // The runtime holds it weakly.
    private let bridge = TestRunBridge()

    /// Loads the bundle and reviews it.
    ///
    /// - Parameters:
    ///   - tables: the names of the bundle's tables.
    ///   - known: what the workspace knows about the source; nil when that is not known.
    /// - Throws: `ScriptError` when the bundle cannot be loaded, or spoils the engine meanwhile.
    init(source: String, name: String, tables: [String], known: KnownSource?) throws(ScriptError) {
        names = ScriptNames(BundleText(source).code)
        runtime = try LivePluginRuntime(
            writeKey: TestRunBridge.writeKey, version: "review",
            budget: LivePluginBudget(eventSeconds: PluginTestRun.budgetSeconds), bridge: bridge, isReview: true)
        defer { runtime.teardown() }
        try runtime.load(source: source, name: name)
        runtime.update(settings: PluginTestRun.usualSettings, initial: true)
        let made = try runtime.madePlugins()
        try reviewClasses(made)
        reviewMethods(made)
        try reviewGenerator(made)
        try reviewConstants()
        reviewTables(tables)
        if let advice = runtime.signalAdvice { add(.warning, advice, names.line(of: "signals")) }
        if let known { reviewDestinations(known) }
        var probe = ScriptProbe(runtime: runtime, bridge: bridge, texts: names.texts, known: known)
        probe.run()
        findings += probe.findings
    }

    // MARK: Classes

    private mutating func reviewClasses(_ made: [LivePluginRuntime.MadePlugin]) throws(ScriptError) {
        let added = made.filter { $0.id != nil }
        let used = Set(added.flatMap(\.classes))
        let kinds = try runtime.kinds(ofGlobals: names.classes.map(\.name))
        for place in names.classes where kinds[place.name] == .livePlugin && !used.contains(place.name) {
            let isMade = made.contains { $0.classes.first == place.name }
            if names.isOnlyDeclared(place.name) {
                add(.error, "\(place.name) is never added; \(Self.addition(of: place.name))", place.line)
            } else if isMade, names.losesObjects(of: place.name) {
                add(.error, "a \(place.name) is made and never added; analytics.add(…) adds it", place.line)
            } else {
                add(
                    .warning, "no \(place.name) was added when the bundle was loaded; \(Self.addition(of: place.name))",
                    place.line)
            }
        }
        // Classes inside of a function have no name in the global scope, but their objects were seen.
        let inner = Set(made.filter { $0.id == nil }.compactMap(\.classes.first)).subtracting(used)
        for name in inner.sorted() where kinds[name] != .livePlugin {
            let severity: BundleReview.Finding.Severity = names.losesObjects(of: name) ? .error : .warning
            add(severity, "a \(name) is made and never added; analytics.add(…) adds it", names.line(of: name))
        }
    }

    private static func addition(of name: String) -> String {
        "analytics.add(new \(name)(LivePluginType.enrichment, null)) adds one"
    }

    private mutating func reviewMethods(_ made: [LivePluginRuntime.MadePlugin]) {
        var seen: Set<String> = []
        for plugin in made {
            guard let id = plugin.id, let name = plugin.classes.first, seen.insert(name).inserted,
                runtime.registrations.indices.contains(id)
            else { continue }
            let registration = runtime.registrations[id]
            let doesNothing = registration.events.isEmpty && registration.notices.isEmpty
            for method in plugin.methods where names.isOnlyDeclared(method) {
                review(method, of: name, doesNothing: doesNothing)
            }
        }
    }

    /// Reviews a method that nothing in the script calls.
    private mutating func review(_ method: String, of plugin: String, doesNothing: Bool) {
        let line = names.line(of: method)
        if let meant = SimilarName.nearest(to: method, among: Self.methods) {
            add(.error, "nothing calls \(plugin).\(method); did you mean \(meant)?", line)
        } else if let meant = Self.methods.first(where: { method.lowercased().contains($0) }) {
            add(
                doesNothing ? .error : .warning,
                "nothing calls \(plugin).\(method); the library calls \(meant)", line)
        }
    }

    // MARK: Generators

    private mutating func reviewGenerator(_ made: [LivePluginRuntime.MadePlugin]) throws(ScriptError) {
        guard !runtime.hasGenerator else { return }
        let candidates = names.declarations.filter { place in
            names.isOnlyDeclared(place.name) && place.name.lowercased().contains("signal")
                || SimilarName.nearest(to: place.name, among: ["processSignal"]) != nil
        }
        let kinds = try runtime.kinds(ofGlobals: candidates.map(\.name))
        for place in candidates where kinds[place.name] == .function && names.isOnlyDeclared(place.name) {
            let isSimilar = SimilarName.nearest(to: place.name, among: ["processSignal"]) != nil
            add(
                isSimilar || made.isEmpty ? .error : .warning,
                "nothing calls \(place.name); the function that gets signals is processSignal", place.line)
        }
    }

    private mutating func reviewConstants() throws(ScriptError) {
        let kinds = try runtime.kinds(ofGlobals: names.constants.map { "\($0.object).\($0.member)" })
        var seen: Set<String> = []
        for constant in names.constants {
            let text = "\(constant.object).\(constant.member)"
            guard kinds[text] == .undefined, seen.insert(text).inserted else { continue }
            let members = try runtime.members(ofGlobal: constant.object)
            let meant = SimilarName.nearest(to: constant.member, among: members)
            let hint = meant.map { "did you mean \($0)?" } ?? "there are \(members.joined(separator: ", "))"
            add(.error, "\(constant.object) has no \(constant.member); \(hint)", constant.line)
        }
    }

    // MARK: Tables

    /// A script that reads a table which is not there gets nothing for every key. That happens when only the script is deployed
    /// again.
    private mutating func reviewTables(_ tables: [String]) {
        guard names.hasNoOtherTables else { return }
        var seen: Set<String> = []
        for use in names.tables where !tables.contains(use.name) && seen.insert(use.name).inserted {
            let meant = SimilarName.nearest(to: use.name, among: tables).map { "did you mean \"\($0)\"?" }
            let others =
                tables.isEmpty ? "--table \(use.name)=FILE adds it" : "there are \(tables.joined(separator: ", "))"
            add(.error, "the bundle has no table \"\(use.name)\"; \(meant ?? others)", use.line)
        }
    }

    // MARK: Destinations

    private mutating func reviewDestinations(_ known: KnownSource) {
        var seen: Set<String> = []
        for plugin in runtime.registrations {
            guard let destination = plugin.stage.destination, !known.destinations.contains(destination),
                seen.insert(destination).inserted
            else { continue }
            let meant = SimilarName.nearest(to: destination, among: known.destinations)
            let hint = meant.map { "; did you mean \"\($0)\"?" } ?? ""
            add(
                .warning,
                "\(plugin.name) is for the destination \"\(destination)\", which neither the settings nor stored events "
                    + "know\(hint)", names.texts.first { $0.name == destination }?.line)
        }
    }

    private mutating func add(_ severity: BundleReview.Finding.Severity, _ message: String, _ line: Int?) {
        findings.append(BundleReview.Finding(severity: severity, message: message, line: line))
    }
}
