import TributaryJSON

/// Evaluates conditions of a program on one event. It looks up all places in the event beforehand.
struct FilterEvaluator {
    /// The value at a place of the event.
    private struct Found {
        let place: Int32
        let value: FilterValue
        /// The text, array or object; null for anything else.
        let content: JSON
        /// Facts about a text; computed at the first use.
        var facts: TextFacts = .unknown
    }

    private struct State {
        /// The position of the first fault that was reached, or -1.
        var fault: Int32 = -1
        /// The number of places that the event has.
        var foundCount = 0
    }

    private let program: FilterProgram
    /// The values of the event; initialized exactly up to `foundCount`.
    private let found: UnsafeMutableBufferPointer<Found>
    /// For each place its position in `found`; -1 for a place that the event does not have.
    private let positions: UnsafeMutableBufferPointer<Int32>
    private let state: UnsafeMutableBufferPointer<State>

    /// Runs `body` with an evaluator whose memory ends with the call. It has no event yet.
    static func with<Result>(_ program: FilterProgram, _ body: (FilterEvaluator) -> Result) -> Result {
        let count = program.places.count
        return withUnsafeTemporaryAllocation(of: Found.self, capacity: count) { found in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: count) { positions in
                withUnsafeTemporaryAllocation(of: State.self, capacity: 1) { state in
                    positions.initialize(repeating: -1)
                    state.initialize(repeating: State())
                    let evaluator = FilterEvaluator(program: program, found: found, positions: positions, state: state)
                    defer { evaluator.forget() }
                    return body(evaluator)
                }
            }
        }
    }

    /// Evaluates on this event from now on. The evaluator holds it until `forget` is called.
    func look(at event: JSON) {
        forget()
        keep(event, at: 0)
    }

    /// Releases the event and everything that was found in it, so that it can be changed in place.
    func forget() {
        for position in 0..<state[0].foundCount { positions[Int(found[position].place)] = -1 }
        found.baseAddress?.deinitialize(count: state[0].foundCount)
        state[0].foundCount = 0
    }

    /// The number of places of the program that the event has.
    var foundCount: Int { state[0].foundCount }

    /// A place that the event has, at a position below `foundCount`, and the value there.
    func foundValue(_ position: Int) -> (place: Int32, value: FilterValue) {
        (found[position].place, found[position].value)
    }

    // MARK: Faults

    /// The fault that was reached since the last call. Then the answers since that call are unknown.
    func takeFault() -> FilterProgram.Fault? {
        let position = state[0].fault
        guard position >= 0 else { return nil }
        state[0].fault = -1
        return program.faults[Int(position)]
    }

    /// Records a fault. Evaluation continues, because that is harmless; its result no longer counts.
    private func note(_ position: Int32) {
        if state[0].fault < 0 { state[0].fault = position }
    }

    // MARK: Conditions

    func isTrue(_ position: Int32) -> Bool {
        switch program.nodes[Int(position)] {
        case .always: return true
        case .never: return false
        case .fault(let position):
            note(position)
            return false
        case .isTrue(let operand): return value(operand).isTrue
        case .isTruthy(let function): return value(function).isTruthy
        case .not(let operand): return !isTrue(operand)
        case .and(let start, let end):
            for list in start..<end where !isTrue(program.lists[Int(list)]) { return false }
            return true
        case .or(let start, let end):
            for list in start..<end where isTrue(program.lists[Int(list)]) { return true }
            return false
        case .equal(let left, let right): return isEqual(left, right)
        case .notEqual(let left, let right): return !isEqual(left, right)
        case .compare(let order, let left, let right): return compare(order, value(left), value(right))
        case .isIn(let item, let start, let end): return isIn(item, start..<end)
        case .isInEvent(let item, let place, let fault): return isIn(item, listAt: place, fault: fault)
        case .contains(let text, let other): return contains(text, other)
        case .match(let text, let glob): return match(text, glob: Int(glob))
        case .matchPattern(let text, let pattern): return matchPattern(text, pattern)
        case .literal, .place, .lowercase, .typeName, .length, .condition: return value(position).isTruthy
        }
    }

    /// The operator `=`: `===`, but two objects or arrays are compared by their JSON texts.
    private func isEqual(_ left: Int32, _ right: Int32) -> Bool {
        let (leftValue, rightValue) = (value(left), value(right))
        if leftValue.kind == .container, rightValue.kind == .container {
            return JavaScriptText.hasSameText(content(left), content(right))
        }
        return isSamePrimitive((left, leftValue), (right, rightValue))
    }

    /// `===` of values that are not both objects.
    private func isSamePrimitive(
        _ left: (position: Int32, value: FilterValue), _ right: (position: Int32, value: FilterValue)
    ) -> Bool {
        switch (left.value.kind, right.value.kind) {
        case (.undefined, .undefined), (.null, .null): return true
        case (.bool, .bool): return left.value.count == right.value.count
        case (.number, .number): return left.value.number == right.value.number
        case (.text, .text):
            guard left.value.seemsSameText(as: right.value) else { return false }
            return left.value.isCompletelyKnown
                || text(left.position).hasSameUnits(as: text(right.position))
        case (.lowercase, .text): return isLowercase(left, right)
        case (.text, .lowercase): return isLowercase(right, left)
        case (.lowercase, .lowercase):
            let right = JavaScriptText.lowercase(text(right.position))
            return JavaScriptText.isLowercase(of: text(left.position), equalTo: right)
        default: return false
        }
    }

    /// Compares lengths first: the lower case of an ASCII text is as long as the text, so this excludes most texts at
    /// little cost.
    private func isLowercase(
        _ lower: (position: Int32, value: FilterValue), _ other: (position: Int32, value: FilterValue)
    ) -> Bool {
        if lower.value.count != other.value.count, facts(lower.position).isASCII { return false }
        return JavaScriptText.isLowercase(of: text(lower.position), equalTo: text(other.position))
    }

    private func compare(_ order: FilterNode.Order, _ left: FilterValue, _ right: FilterValue) -> Bool {
        guard left.kind == .number, right.kind == .number else { return false }
        switch order {
        case .less: return left.number < right.number
        case .lessOrEqual: return left.number <= right.number
        case .greater: return left.number > right.number
        case .greaterOrEqual: return left.number >= right.number
        }
    }

    /// Whether an item is in a list. A missing item is in a list that names a missing place. An object is identical
    /// only to itself, that is, when both operands name its place.
    private func isIn(_ item: Int32, _ list: Range<Int32>) -> Bool {
        let wanted = value(item)
        for position in list {
            let candidate = program.lists[Int(position)]
            if case .fault(let fault) = program.nodes[Int(candidate)] {
                note(fault)
                return false
            }
            if wanted.kind == .container {
                if isSamePlace(item, candidate) { return true }
            } else if mayBe(wanted, candidate), isSamePrimitive((candidate, value(candidate)), (item, wanted)) {
                return true
            }
        }
        return false
    }

    /// Whether an item is in a list of the event. The items of that list are operands like those of a list in the rule:
    /// texts are paths, and a value has the form `{"value": x}`.
    private func isIn(_ item: Int32, listAt place: Int32, fault: Int32) -> Bool {
        guard case .array(let items) = content(at: place) else {
            note(fault)
            return false
        }
        let wanted = value(item)
        for candidate in items {
            switch candidate {
            case .null:
                note(fault)
                return false
            case .array: continue
            case .object(let object): if isSamePrimitive(item, wanted, object["value"]) { return true }
            case .string(let path):
                if isSamePrimitive(item, wanted, FilterPath(path).value(in: content(at: 0))) { return true }
            case .number, .bool: if isEvent(item) { return true }
            }
        }
        return false
    }

    private func isSamePrimitive(_ item: Int32, _ wanted: FilterValue, _ json: JSON?) -> Bool {
        switch (wanted.kind, json) {
        case (.text, .string(let text)): self.text(item).hasSameUnits(as: text)
        case (.text, _), (_, .string), (.container, _): false
        default: isSamePrimitive((item, wanted), (item, FilterValue(json)))
        }
    }

    /// This check excludes most items of a list of texts at little cost.
    private func mayBe(_ wanted: FilterValue, _ candidate: Int32) -> Bool {
        guard wanted.kind == .text, case .literal(let literal) = program.nodes[Int(candidate)] else { return true }
        return program.literals[Int(literal)].value.seemsSameText(as: wanted)
    }

    private func isSamePlace(_ left: Int32, _ right: Int32) -> Bool {
        guard case .place(let left) = program.nodes[Int(left)], case .place(let right) = program.nodes[Int(right)]
        else { return false }
        return left == right
    }

    private func isEvent(_ operand: Int32) -> Bool {
        if case .place(0) = program.nodes[Int(operand)] { return true }
        return false
    }

    private func contains(_ text: Int32, _ other: Int32) -> Bool {
        let (value, otherValue) = (value(text), value(other))
        guard value.kind == .text, otherValue.kind == .text, value.count >= otherValue.count else { return false }
        guard facts(text).mayContain(facts(other)) else { return false }
        return self.text(text).hasUnits(self.text(other))
    }

    private func match(_ operand: Int32, glob: Int) -> Bool {
        let value = value(operand)
        guard value.kind == .text, program.globs[glob].mayMatch(value) else { return false }
        return program.globs[glob].matches(text(operand))
    }

    /// A pattern from an event cannot be refused in advance. One that is too long matches nothing.
    private func matchPattern(_ operand: Int32, _ pattern: Int32) -> Bool {
        guard value(operand).kind == .text, value(pattern).kind == .text else { return false }
        let pattern = text(pattern)
        guard pattern.utf16Count <= program.limits.globUnits else { return false }
        return Glob(pattern).matches(text(operand))
    }

    // MARK: Operands

    private func value(_ position: Int32) -> FilterValue {
        switch program.nodes[Int(position)] {
        case .literal(let literal): return program.literals[Int(literal)].value
        case .place(let place): return value(at: place)
        case .lowercase(let operand):
            let value = value(operand)
            return value.kind == .text ? .lowercase(of: value) : .null
        case .typeName(let operand): return value(operand).typeNameValue
        case .length(let operand): return FilterValue(length(operand))
        case .condition(let condition): return FilterValue(isTrue(condition))
        default: return FilterValue(isTrue(position))
        }
    }

    /// UTF-16 units of a text, elements of an array, 0 for null, not a number for the rest.
    private func length(_ operand: Int32) -> Double {
        switch value(operand).kind {
        case .null: return 0
        case .text: return Double(facts(operand).units)
        case .container: return content(operand).elements.map { Double($0.count) } ?? .nan
        case .undefined, .bool, .number, .lowercase: return .nan
        }
    }

    /// The text of an operand whose value is a text; for a lower case, the text from which it is made.
    private func text(_ position: Int32) -> String {
        switch program.nodes[Int(position)] {
        case .lowercase(let operand): return text(operand)
        case .typeName(let operand): return value(operand).typeName
        case .literal(let literal):
            if case .string(let text) = program.literals[Int(literal)].json { return text }
        case .place(let place): return text(at: place)
        default: break
        }
        return ""
    }

    /// The facts about an operand whose value is a text; for a lower case, about the text that it is made from.
    private func facts(_ position: Int32) -> TextFacts {
        switch program.nodes[Int(position)] {
        case .lowercase(let operand): return facts(operand)
        case .literal(let literal): return program.literals[Int(literal)].facts ?? TextFacts("")
        case .place(let place): return textFacts(at: place)
        default: return TextFacts(text(position))
        }
    }

    /// The text, array or object that is the value of an operand.
    private func content(_ position: Int32) -> JSON {
        switch program.nodes[Int(position)] {
        case .literal(let literal): return program.literals[Int(literal)].json
        case .place(let place): return content(at: place)
        default: return .null
        }
    }

    // MARK: Places

    /// The value at a place.
    func value(at place: Int32) -> FilterValue {
        let position = positions[Int(place)]
        return position < 0 ? .undefined : found[Int(position)].value
    }

    /// The text at a place. The value there must be a text.
    func text(at place: Int32) -> String {
        if case .string(let text) = content(at: place) { return text }
        return ""
    }

    /// The text, array or object at a place; null for anything else.
    private func content(at place: Int32) -> JSON {
        let position = positions[Int(place)]
        return position < 0 ? .null : found[Int(position)].content
    }

    private func textFacts(at place: Int32) -> TextFacts {
        let position = Int(positions[Int(place)])
        guard position >= 0 else { return TextFacts("") }
        if found[position].facts.units < 0 { found[position].facts = TextFacts(text(at: place)) }
        return found[position].facts
    }

    /// Stores a value, and all values below it that the program looks at. Recurses as deep as paths have keys.
    private func keep(_ json: JSON, at place: Int32) {
        let value = FilterValue(json)
        let hasContent = value.kind == .text || value.kind == .container
        let position = state[0].foundCount
        state[0].foundCount += 1
        positions[Int(place)] = Int32(position)
        found.initializeElement(at: position, to: Found(place: place, value: value, content: hasContent ? json : .null))
        guard hasContent else { return }
        let below = program.placeTable.below[Int(place)]
        if below.count > 0 { keepMembers(of: json, below, place) }
    }

    private func keepMembers(of json: JSON, _ below: PlaceTable.Below, _ place: Int32) {
        if case .object(let object) = json, !isSearched(object, below) {
            object.withMembers { members in
                for position in members.indices
                where PlaceTable.lengthBit(members[position].key.utf8.count) & below.lengths != 0 {
                    guard let child = program.placeTable.place(of: members[position].key, below: place) else {
                        continue
                    }
                    keep(members[position].value, at: child)
                }
            }
        } else {
            for position in below.start..<below.end {
                let child = program.placeTable.children[Int(position)]
                guard let member = program.places[Int(child)].key.member(of: json) else { continue }
                keep(member, at: child)
            }
        }
    }

    /// Whether looking for each name is cheaper than looking at each member: a large object finds a name by its hash.
    private func isSearched(_ object: JSONObject, _ below: PlaceTable.Below) -> Bool {
        below.count == 1 || (object.isIndexed && below.count * 4 < object.count)
    }
}
