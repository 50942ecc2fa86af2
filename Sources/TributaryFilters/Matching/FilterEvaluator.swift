import TributaryJSON

/// Evaluates conditions of a program on the event that it was given. Every place is looked up at most once.
struct FilterEvaluator {
    private let program: FilterProgram
    /// What has been looked up, by place.
    private let values: UnsafeMutableBufferPointer<FilterValue>
    /// The texts, arrays and objects that have been looked up; initialized exactly where `values` has one.
    private let contents: UnsafeMutableBufferPointer<JSON>
    /// What is known of the texts among them, by place; found when it is first asked for.
    private let facts: UnsafeMutableBufferPointer<TextFacts>
    /// The position of the first fault that was reached, or -1.
    private let fault: UnsafeMutableBufferPointer<Int32>

    /// Runs `body` with an evaluator whose memory ends with the call. It has no event yet.
    static func with<Result>(_ program: FilterProgram, _ body: (FilterEvaluator) -> Result) -> Result {
        let count = program.places.count
        return withUnsafeTemporaryAllocation(of: FilterValue.self, capacity: count) { values in
            withUnsafeTemporaryAllocation(of: JSON.self, capacity: count) { contents in
                withUnsafeTemporaryAllocation(of: TextFacts.self, capacity: count) { facts in
                    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 1) { fault in
                        values.initialize(repeating: .unknown)
                        facts.initialize(repeating: .unknown)
                        fault.initialize(repeating: -1)
                        let evaluator = FilterEvaluator(
                            program: program, values: values, contents: contents, facts: facts, fault: fault)
                        defer { evaluator.forget() }
                        return body(evaluator)
                    }
                }
            }
        }
    }

    /// Evaluates on this event from now on. The evaluator holds it until `forget` is called.
    func look(at event: JSON) {
        forget()
        _ = keep(event, at: 0)
    }

    /// Gives up the event and everything that was found in it, so that it can be changed in place.
    func forget() {
        for place in values.indices {
            if hasContent(values[place]) { (contents.baseAddress.map { $0 + place })?.deinitialize(count: 1) }
            values[place] = .unknown
            facts[place] = .unknown
        }
    }

    // MARK: Faults

    /// The fault that was reached since the last call: the answers since then are unknown.
    func takeFault() -> FilterProgram.Fault? {
        let position = fault[0]
        guard position >= 0 else { return nil }
        fault[0] = -1
        return program.faults[Int(position)]
    }

    /// Evaluation goes on, as nothing can happen to it; what it finds no longer counts.
    private func note(_ position: Int32) {
        if fault[0] < 0 { fault[0] = position }
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

    /// The lower case of an ASCII text is as long as the text, which rules out most others at little cost.
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

    /// A missing item is in a list that names a missing place. An object is identical only to itself, that is, when
    /// both operands name its place.
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

    /// The items of a list in the event are operands like those of a list in the rule: texts are paths, and a value
    /// stands in `{"value": x}`.
    private func isIn(_ item: Int32, listAt place: Int32, fault: Int32) -> Bool {
        guard value(at: place).kind == .container, case .array(let items) = contents[Int(place)] else {
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
                if isSamePrimitive(item, wanted, FilterPath(path).value(in: contents[0])) { return true }
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

    /// Rules out most items of a list of texts at little cost.
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

    /// A pattern from an event cannot be refused beforehand: one that is too long matches nothing.
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
        case .unknown, .undefined, .bool, .number, .lowercase: return .nan
        }
    }

    /// The text of an operand whose value is one; for a lower case, the text that it is made from.
    private func text(_ position: Int32) -> String {
        switch program.nodes[Int(position)] {
        case .lowercase(let operand): return text(operand)
        case .typeName(let operand): return value(operand).typeName
        case .literal(let literal):
            if case .string(let text) = program.literals[Int(literal)].json { return text }
        case .place(let place):
            if hasContent(value(at: place)), case .string(let text) = contents[Int(place)] { return text }
        default: break
        }
        return ""
    }

    /// What is known of an operand whose value is a text; for a lower case, of the text that it is made from.
    private func facts(_ position: Int32) -> TextFacts {
        switch program.nodes[Int(position)] {
        case .lowercase(let operand): return facts(operand)
        case .literal(let literal): return program.literals[Int(literal)].facts ?? TextFacts("")
        case .place(let place):
            let known = facts[Int(place)]
            if known.units >= 0 { return known }
            let found = TextFacts(text(position))
            facts[Int(place)] = found
            return found
        default: return TextFacts(text(position))
        }
    }

    /// The text, array or object itself that is the value of an operand.
    private func content(_ position: Int32) -> JSON {
        switch program.nodes[Int(position)] {
        case .literal(let literal): return program.literals[Int(literal)].json
        case .place(let place): return hasContent(value(at: place)) ? contents[Int(place)] : .null
        default: return .null
        }
    }

    // MARK: Places

    private func value(at place: Int32) -> FilterValue {
        let known = values[Int(place)]
        return known.kind == .unknown ? lookUp(place) : known
    }

    /// Recurses along the keys of one path, of which there are few.
    private func lookUp(_ place: Int32) -> FilterValue {
        let parent = program.places[Int(place)].parent
        guard parent >= 0, hasContent(value(at: parent)) else { return keep(nil, at: place) }
        if let group = program.groups[Int(parent)], case .object(let object) = contents[Int(parent)],
            group.count * 2 >= object.count, values[Int(group.first)].kind == .unknown
        {
            lookUp(group, in: object)
            if values[Int(place)].kind != .unknown { return values[Int(place)] }
        }
        return keep(program.places[Int(place)].key.member(of: contents[Int(parent)]), at: place)
    }

    /// Finds all places of a group at once, so that the first is known only when all are.
    private func lookUp(_ group: PlaceGroup, in object: JSONObject) {
        for place in group.places { values[Int(place)] = .undefined }
        for (key, value) in object {
            if let place = group.place(of: key) { _ = keep(value, at: place) }
        }
    }

    private func keep(_ json: JSON?, at place: Int32) -> FilterValue {
        let value = FilterValue(json)
        if hasContent(value), let json { contents.initializeElement(at: Int(place), to: json) }
        values[Int(place)] = value
        return value
    }

    private func hasContent(_ value: FilterValue) -> Bool { value.kind == .text || value.kind == .container }
}
