import TributaryJSON

/// Evaluates conditions of a program on one event. Every place is looked up at most once, until `forget` is called.
struct FilterEvaluator {
    private let program: FilterProgram
    /// What has been looked up, by place; nil until then.
    private let known: UnsafeMutableBufferPointer<FilterValue?>

    /// Runs `body` with an evaluator whose memory ends with the call.
    static func with<Result>(_ program: FilterProgram, _ body: (FilterEvaluator) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: FilterValue?.self, capacity: program.places.count) { known in
            known.initialize(repeating: nil)
            defer { known.deinitialize() }
            return body(FilterEvaluator(program: program, known: known))
        }
    }

    /// Gives up all references into the event: it has changed, or will be changed in place.
    func forget() { known.update(repeating: nil) }

    func isTrue(_ position: Int32, _ event: JSON) -> Bool {
        switch program.nodes[Int(position)] {
        case .always: return true
        case .never: return false
        case .isTrue(let operand):
            if case .bool(true) = value(operand, event) { return true }
            return false
        case .isTruthy(let function): return isTruthy(value(function, event))
        case .not(let operand): return !isTrue(operand, event)
        case .and(let start, let end):
            for list in start..<end where !isTrue(program.lists[Int(list)], event) { return false }
            return true
        case .or(let start, let end):
            for list in start..<end where isTrue(program.lists[Int(list)], event) { return true }
            return false
        case .equal(let left, let right): return value(left, event).isEqual(to: value(right, event))
        case .notEqual(let left, let right): return !value(left, event).isEqual(to: value(right, event))
        case .compare(let order, let left, let right): return compare(order, value(left, event), value(right, event))
        case .isIn(let item, let start, let end): return isIn(item, start..<end, event)
        case .contains(let text, let other):
            guard case .text(let text) = value(text, event), case .text(let other) = value(other, event) else {
                return false
            }
            return text.hasUnits(other)
        case .match(let text, let glob):
            guard case .text(let text) = value(text, event) else { return false }
            return program.globs[Int(glob)].matches(text)
        case .matchPattern(let text, let pattern): return matchPattern(value(text, event), value(pattern, event))
        case .literal, .place, .lowercase, .typeName, .length, .condition: return isTruthy(value(position, event))
        }
    }

    private func value(_ position: Int32, _ event: JSON) -> FilterValue {
        switch program.nodes[Int(position)] {
        case .literal(let literal): return program.literals[Int(literal)]
        case .place(let place): return value(at: place, event)
        case .lowercase(let operand):
            if case .text(let text) = value(operand, event) { return .lowercase(text) }
            return .null
        case .typeName(let operand): return .text(value(operand, event).typeName)
        case .length(let operand): return .number(value(operand, event).length)
        case .condition(let condition): return .bool(isTrue(condition, event))
        default: return .bool(isTrue(position, event))
        }
    }

    /// Recurses along the keys of one path, of which there are few.
    private func value(at place: Int32, _ event: JSON) -> FilterValue {
        if let known = known[Int(place)] { return known }
        let description = program.places[Int(place)]
        let value =
            description.parent < 0
            ? FilterValue(event) : value(at: description.parent, event).member(description.key)
        known[Int(place)] = value
        return value
    }

    private func isTruthy(_ value: FilterValue) -> Bool {
        switch value {
        case .undefined, .null: false
        case .bool(let value): value
        case .number(let value): value != 0 && !value.isNaN
        case .text(let value), .lowercase(let value): !value.isEmpty
        case .container: true
        }
    }

    private func compare(_ order: FilterNode.Order, _ left: FilterValue, _ right: FilterValue) -> Bool {
        guard case .number(let left) = left, case .number(let right) = right else { return false }
        switch order {
        case .less: return left < right
        case .lessOrEqual: return left <= right
        case .greater: return left > right
        case .greaterOrEqual: return left >= right
        }
    }

    /// A missing item is in no list, not even in one that names a missing place.
    private func isIn(_ item: Int32, _ list: Range<Int32>, _ event: JSON) -> Bool {
        let wanted = value(item, event)
        if case .undefined = wanted { return false }
        return list.contains { position in
            let candidate = program.lists[Int(position)]
            return isSamePlace(item, candidate) || value(candidate, event).isIdentical(to: wanted)
        }
    }

    /// An object is identical only to itself, that is, when both operands name its place.
    private func isSamePlace(_ left: Int32, _ right: Int32) -> Bool {
        guard case .place(let left) = program.nodes[Int(left)], case .place(let right) = program.nodes[Int(right)]
        else { return false }
        return left == right
    }

    /// A pattern from an event cannot be refused beforehand: one that is too long matches nothing.
    private func matchPattern(_ text: FilterValue, _ pattern: FilterValue) -> Bool {
        guard case .text(let text) = text, case .text(let pattern) = pattern,
            pattern.utf16Count <= program.limits.globUnits
        else { return false }
        return Glob(pattern).matches(text)
    }
}
