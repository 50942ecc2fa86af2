import TributaryJSON
import TributaryRules

/// An event on its way through the plugins of a stage that are data.
///
/// The engine writes an event as text for each plugin and reads it again. This type writes nothing, and makes the same changes to
/// values: JavaScript's form of numbers, its order of keys, and no members without a JSON form.
struct RuleTurn {
    private let event: JSON
    /// Whether there are several plugins. The engine then compares texts that it has written itself.
    private let isChain: Bool
    /// Whether the event has the same text after JavaScript has written it.
    private let isInScriptForm: Bool
    /// The event as the next plugin gets it; nil when a plugin dropped it.
    private var present: JSON
    private var isDropped = false
    private var changes = 0
    var steps: [LivePluginStep] = []

    init(_ event: JSON, isChain: Bool) {
        self.event = event
        self.isChain = isChain
        isInScriptForm = event.isInScriptForm
        present = isChain && !isInScriptForm ? event.inScriptForm : event
    }

    /// Gives the event to a function of a plugin.
    mutating func take(_ run: RuleRun, _ function: Int) throws(RuleFault) -> LivePluginOutcome {
        guard case .object(let members) = present else { throw Self.noEvent }
        let object = RuleObject(members)
        let returned = try run.call(function, [.object(object)])
        let result: RuleObject
        switch returned {
        case .null:
            isDropped = true
            return .dropped
        case .object(let value): result = value
        case .undefined:
            throw RuleFault(
                kind: .exception, message: "TypeError: the plugin returned nothing; a plugin that drops returns null")
        default: throw Self.noEvent
        }
        let id = RuleObject(members).value(of: "messageId")
        guard result.value(of: "messageId").isSame(as: id) else {
            throw RuleFault(kind: .exception, message: "TypeError: the plugin returned another event")
        }
        let output = RuleOutput(isExact: !isInScriptForm)
        if result === object, try !output.isDeeplyChanged(.object(object)) { return .unchanged }
        return try accept(output, result)
    }

    private static let noEvent = RuleFault(kind: .exception, message: "TypeError: the plugin returned no event")

    private mutating func accept(_ output: RuleOutput, _ object: RuleObject) throws(RuleFault) -> LivePluginOutcome {
        guard var changed = try output.json(.object(object)) else { throw Self.noEvent }
        if isChain, changed.isWritten(like: present) { return .unchanged }
        // No character takes more than six bytes.
        if changed.roughSize > LivePluginLimits.eventBytes / 6 { changed = try shortened(changed) }
        present = changed
        changes += 1
        return .changed
    }

    /// The event, without values that are nested too deep when it is too large with them.
    private func shortened(_ changed: JSON) throws(RuleFault) -> JSON {
        let limit = max(LivePluginLimits.eventBytes, present.encoded().count)
        let bytes = changed.encoded()
        guard bytes.count > limit else { return changed }
        let shorter = ScriptNesting.cut(bytes)
        guard shorter.count <= limit, let json = try? JSON.parse(shorter) else {
            throw RuleFault(
                kind: .exception,
                message: "RangeError: the plugin's event is larger than \(LivePluginLimits.eventBytes) bytes")
        }
        return json
    }

    // MARK: The result

    /// The event that goes on, and the steps.
    var result: LivePluginStageResult {
        if isDropped { return LivePluginStageResult(event: nil, steps: steps) }
        guard changes > 0 else { return LivePluginStageResult(event: event, steps: steps) }
        let outcome = restored()
        if steps.count == 1, steps[0].outcome == .changed, outcome.value == event {
            return LivePluginStageResult(
                event: event, steps: [LivePluginStep(plugin: steps[0].plugin, outcome: .unchanged)])
        }
        return LivePluginStageResult(
            event: LivePluginRuntime.guarded(outcome.value, as: event), steps: steps, collision: outcome.collision)
    }

    private func restored() -> EventRestoration.Outcome {
        // Nothing has to be restored where JavaScript changes nothing.
        if isInScriptForm, present.isPlainResult { return .init(value: present, collision: nil) }
        let bytes = present.encoded()
        let reading = bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try JSON.parse(bytes, like: event) }
        }
        if case .success(let reading) = reading {
            return EventRestoration.restore(reading, from: event, remembered: [])
        }
        guard let reading = try? ScriptNesting.cut(bytes).withUnsafeBytes({ try JSON.parse($0, like: event) }) else {
            return .init(value: event, collision: nil)
        }
        return EventRestoration.restore(reading, from: event, remembered: [])
    }
}

extension JSON {
    /// About the bytes of its text, without escapes.
    fileprivate var roughSize: Int {
        switch self {
        case .null, .bool: 5
        case .number: 25
        case .string(let text): text.utf8.count + 3
        case .array(let elements): elements.reduce(2) { $0 + $1.roughSize }
        case .object(let members):
            members.withMembers { members in members.reduce(2) { $0 + $1.key.utf8.count + 4 + $1.value.roughSize } }
        }
    }

    /// Whether it has no keys that JavaScript puts first, and is nested no deeper than an event may be.
    fileprivate var isPlainResult: Bool { isPlainResult(depth: ScriptNesting.depth) }

    private func isPlainResult(depth: Int) -> Bool {
        switch self {
        case .null, .bool, .number, .string: true
        case .array(let elements): depth > 0 && elements.allSatisfy { $0.isPlainResult(depth: depth - 1) }
        case .object(let members):
            depth > 0
                && members.withMembers { members in
                    members.allSatisfy {
                        ($0.key.utf8.first ?? 0) &- UInt8(ascii: "0") >= 10 && $0.value.isPlainResult(depth: depth - 1)
                    }
                }
        }
    }

    /// Whether both have the same text.
    fileprivate func isWritten(like other: JSON) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a.isWritten(like: b)
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isWritten(like: $1) }
        case (.object(let a), .object(let b)):
            a.isIdentical(to: b)
                || a.count == b.count
                    && zip(a, b).allSatisfy {
                        $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.isWritten(like: $1.value)
                    }
        default: false
        }
    }
}
