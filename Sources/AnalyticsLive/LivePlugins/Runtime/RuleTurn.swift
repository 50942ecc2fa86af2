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
    /// The event as the next plugin gets it.
    private var present: JSON
    private var shape: EventShape
    private var isDropped = false
    private var changes = 0
    var steps: [LivePluginStep] = []

    init(_ event: JSON, isChain: Bool) {
        self.event = event
        self.isChain = isChain
        shape = EventShape(event)
        isInScriptForm = shape.isInScriptForm
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
        shape.change(present, to: changed)
        // No character takes more than six bytes.
        if shape.size > LivePluginLimits.eventBytes / 6 { changed = try shortened(changed) }
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
        let isPlain = isInScriptForm && !shape.hasIndexKeys && shape.depth <= ScriptNesting.depth
        if isPlain { return .init(value: present, collision: nil) }
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

/// The facts about an event that a turn needs, from one walk through it.
private struct EventShape {
    /// The most bytes that its text can have without escapes, roughly.
    private(set) var size = 0
    /// Objects and arrays that are inside of one another, at most.
    private(set) var depth = 0
    /// Whether it may have keys that JavaScript puts first.
    private(set) var hasIndexKeys = false
    private var hasOnlyPlainNumbers = true

    init(_ event: JSON) { add(event, depth: 0) }

    /// Whether `JSON.inScriptForm` is the same text.
    var isInScriptForm: Bool { hasOnlyPlainNumbers && !hasIndexKeys }

    /// Adds the parts of an event that are new. Objects that are the same in memory are not walked through again.
    mutating func change(_ event: JSON, to changed: JSON) { add(changed, changing: event, depth: 0) }

    private mutating func add(_ value: JSON, changing old: JSON?, depth: Int) {
        guard case .object(let members) = value, case .object(let known)? = old else { return add(value, depth: depth) }
        guard !members.isIdentical(to: known) else { return }
        enter(depth)
        members.withMembers { members in
            for member in members {
                add(key: member.key)
                add(member.value, changing: known[member.key], depth: depth + 1)
            }
        }
    }

    private mutating func add(_ value: JSON, depth: Int) {
        switch value {
        case .null, .bool: size += 5
        case .string(let text): size += text.utf8.count + 3
        case .number(let number):
            size += 25
            if !number.isPlain { hasOnlyPlainNumbers = false }
        case .array(let elements):
            enter(depth)
            elements.withUnsafeBufferPointer { for element in $0 { add(element, depth: depth + 1) } }
        case .object(let members):
            enter(depth)
            members.withMembers { members in
                for member in members {
                    add(key: member.key)
                    add(member.value, depth: depth + 1)
                }
            }
        }
    }

    private mutating func enter(_ depth: Int) {
        size += 2
        self.depth = max(self.depth, depth + 1)
    }

    private mutating func add(key: String) {
        size += key.utf8.count + 4
        if (key.utf8.first ?? 0) &- UInt8(ascii: "0") < 10 { hasIndexKeys = true }
    }
}

extension JSON {
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
