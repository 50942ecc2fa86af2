package import TributaryJSON
package import TributaryRules
import TributaryScript

/// Runs live plugins that are data: no engine, and no script.
///
/// Events come out as `LivePluginRuntime` gives them out for the script of the same bundle.
///
/// Threading: one caller at a time, from any thread. The bridge must not call the runtime while it runs. An event that
/// comes in spite of that goes on unchanged.
package final class RuleRuntime {
    private let program: RuleProgram
    private let writeKey: String
    private let fileName: String
    private let faultLimit: Int
    private let permissions: ScriptPermissions?
    let host: LivePluginHost
    /// The faults of each plugin so far.
    private var faults: [Int]
    /// The plugins of each stage by the type of event, as far as they were asked for.
    private var entries: [LivePluginStage: [LivePluginEvents: [Int]]] = [:]
    private var isRunning = false
    private var isClosed = false

    /// - Parameters:
    ///   - writeKey: the client's write key.
    ///   - version: the bundle's version, which is in the events of plugins.
    ///   - fileName: the name of the script in faults.
    ///   - permissions: the actions that plugins may take; nil allows all.
    ///   - bridge: held weakly.
    package init(
        _ program: RuleProgram, writeKey: String, version: String, fileName: String, faultLimit: Int = 10,
        permissions: ScriptPermissions? = nil, bridge: any LivePluginBridge
    ) {
        self.program = program
        self.writeKey = writeKey
        self.fileName = fileName
        self.faultLimit = faultLimit
        self.permissions = permissions
        host = LivePluginHost(
            writeKey: writeKey, version: version, faultLimit: faultLimit, permissions: permissions, bridge: bridge)
        faults = Array(repeating: 0, count: program.plugins.count)
        for plugin in program.plugins { host.plugins.add(LivePluginRegistration(plugin)) }
    }

    /// The plugins, in order.
    package var registrations: [LivePluginRegistration] { host.plugins.all }

    /// Whether a plugin of the stage handles events of the type.
    package func handles(type: LivePluginType, destination: String? = nil, eventType: String) -> Bool {
        !isClosed && host.plugins.handle(eventType: eventType, at: type, destination: destination)
    }

    /// Passes an event through the plugins of a stage, one after the other.
    package func run(type: LivePluginType, destination: String? = nil, event: JSON) -> LivePluginStageResult {
        guard let permissions else { return pass(event, through: type, of: destination) }
        return permissions.restricting(event, by: host) { pass($0, through: type, of: destination) }
    }

    package func teardown() { isClosed = true }

    private func pass(_ event: JSON, through type: LivePluginType, of destination: String?) -> LivePluginStageResult {
        let eventType = event["type"]?.stringValue ?? ""
        guard !isRunning, handles(type: type, destination: destination, eventType: eventType) else {
            return LivePluginStageResult(event: event, steps: [])
        }
        isRunning = true
        defer { isRunning = false }
        host.begin(.event(event))
        let entries = entries(LivePluginStage(type: type, destination: destination), LivePluginEvents(type: eventType))
        var turn = RuleTurn(event, isChain: entries.count > 1)
        for plugin in entries where !registrations[plugin].isOff {
            let outcome = step(plugin, eventType, &turn)
            turn.steps.append(LivePluginStep(plugin: registrations[plugin].name, outcome: outcome))
            if outcome == .dropped { break }
        }
        return turn.result
    }

    /// The plugins at a stage that handle such events, in order.
    private func entries(_ stage: LivePluginStage, _ events: LivePluginEvents) -> [Int] {
        if let known = entries[stage]?[events] { return known }
        let all = registrations
        let found = all.indices.filter { all[$0].stage == stage && !all[$0].events.isDisjoint(with: events) }
        entries[stage, default: [:]][events] = found
        return found
    }

    /// One plugin's turn.
    private func step(_ plugin: Int, _ eventType: String, _ turn: inout RuleTurn) -> LivePluginOutcome {
        let methods = program.plugins[plugin].methods
        guard let function = methods["process"] ?? methods[eventType] else { return .unchanged }
        let run = RuleRun(program) { [host, writeKey] type, text in
            _ = try host.answer([.string("send"), .string(writeKey), .string(type), .string(text)])
        }
        do {
            return try turn.take(run, function)
        } catch {
            return .failed(fault(error, of: plugin, line: run.line))
        }
    }

    private func fault(_ fault: RuleFault, of plugin: Int, line: Int) -> LivePluginFault {
        let isBreach = fault.kind == .steps
        faults[plugin] += 1
        let isOff = isBreach || faults[plugin] >= faultLimit
        if isOff { host.plugins.switchOff(plugin) }
        return LivePluginFault(
            message: fault.message, line: line > 0 ? line : nil, file: fileName, isSwitchedOff: isOff,
            isBreach: isBreach)
    }
}

extension LivePluginRegistration {
    fileprivate init(_ plugin: RuleProgram.Plugin) {
        let types = plugin.methods.keys.filter { $0 != "process" }
        let own = LivePluginEvents(types.map(LivePluginEvents.init(type:)))
        self.init(
            name: plugin.name,
            stage: LivePluginStage(
                type: LivePluginType(rawValue: plugin.type) ?? .utility, destination: plugin.destination),
            events: plugin.methods["process"] == nil ? own : .all, notices: [])
    }
}
