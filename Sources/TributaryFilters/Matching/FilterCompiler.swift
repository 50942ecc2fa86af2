import TributaryJSON

/// Turns the IR of FQL into a program. Recursion is bounded by the depth to which the IR is parsed.
struct FilterCompiler {
    private var program = FilterProgram.Parts()
    /// The positions of places, so that a place in many rules is looked up once for each event.
    private var placePositions: [FilterProgram.Place: Int32] = [:]
    /// Whether the answer of the matcher that was compiled last may be unknown for an event.
    private(set) var mayFail = false
    /// The invalid parts of the matcher that was compiled last.
    private(set) var problems: [FilterError] = []

    init(limits: FilterLimits) { program.limits = limits }

    /// The program of all matchers so far.
    func finished() -> FilterProgram { FilterProgram(program) }

    /// Compiles a matcher, `{"type": "all" | "fql", "ir": text}`, and returns the position of its condition.
    mutating func matcher(_ json: JSON) throws(FilterError) -> Int32 {
        mayFail = false
        problems = []
        guard let object = json.objectValue else {
            throw FilterError(.unknownMatcher, at: "", "a matcher must be an object")
        }
        switch object["type"]?.stringValue {
        case "all": return add(.always)
        case "fql": return try expression(object["ir"])
        case let type?:
            throw FilterError(.unknownMatcher, at: "type", "unknown matcher type '\(FilterError.shortened(type))'")
        case nil: throw FilterError(.unknownMatcher, at: "type", "the matcher's type is missing")
        }
    }

    /// A matcher without an IR matches nothing. A number or a boolean is not the value `true` of any event either.
    private mutating func expression(_ ir: JSON?) throws(FilterError) -> Int32 {
        switch ir {
        case nil, .null, .bool, .number: return add(.never)
        case .string(let text) where text.isEmpty: return add(.never)
        case .string(let text): return try expression(text)
        default: throw FilterError(.malformedIR, at: "ir", "the IR must be a text")
        }
    }

    private mutating func expression(_ text: String) throws(FilterError) -> Int32 {
        let json: JSON
        do {
            let limits = JSONLimits(depth: program.limits.irDepth, bytes: program.limits.irBytes)
            json = try JSON.parse(text, limits: limits)
        } catch {
            let isLimit = error.reason == .tooDeep || error.reason == .tooLarge
            throw FilterError(isLimit ? .limit : .malformedIR, at: "ir", "the IR cannot be read: \(error)")
        }
        let node = condition(json, at: "ir")
        // The whole expression cannot be understood, so its answer is unknown for every event.
        if case .fault(let fault) = program.nodes[Int(node)] { throw program.faults[Int(fault)].error }
        // The result of a function is no boolean, and only `true` itself lets a matcher match.
        if case .isTruthy = program.nodes[Int(node)] { return add(.never) }
        return node
    }

    /// The condition that holds for every event.
    mutating func always() -> Int32 { add(.always) }

    // MARK: Conditions

    /// Compiles a condition. An invalid part becomes a fault, which matters only for events that reach it.
    private mutating func condition(_ json: JSON, at path: String) -> Int32 {
        do throws(FilterError) {
            return try understood(json, at: path)
        } catch {
            return add(.fault(addFault(error, isCertain: true)))
        }
    }

    private mutating func understood(_ json: JSON, at path: String) throws(FilterError) -> Int32 {
        guard case .array(let call) = json else { return add(.isTrue(try operand(json, at: path))) }
        switch call.first?.stringValue {
        case "!":
            guard call.count > 1 else { throw Self.missing(1, at: path) }
            return add(.not(condition(call[1], at: "\(path)[1]")))
        case "and":
            let (start, end) = conditions(call, at: path)
            return add(.and(start: start, end: end))
        case "or":
            let (start, end) = conditions(call, at: path)
            return add(.or(start: start, end: end))
        case "in": return try membership(call, at: path)
        case "=", "!=", "<", "<=", ">", ">=": return try comparison(call, at: path)
        case "contains", "match": return try textTest(call, at: path)
        case "lowercase", "typeof", "length": return add(.isTruthy(try function(call, at: path)))
        default:
            let name = call.first?.description ?? "nothing"
            throw FilterError(.unknownOperator, at: path, "unknown operator \(FilterError.shortened(name))")
        }
    }

    private mutating func conditions(_ call: [JSON], at path: String) -> (Int32, Int32) {
        addList(call.indices.dropFirst().map { condition(call[$0], at: "\(path)[\($0)]") })
    }

    private mutating func comparison(_ call: [JSON], at path: String) throws(FilterError) -> Int32 {
        let left = try compared(call, 1, at: path)
        let right = try compared(call, 2, at: path)
        switch call[0].stringValue {
        case "=": return add(.equal(left, right))
        case "!=": return add(.notEqual(left, right))
        case "<": return add(.compare(.less, left, right))
        case "<=": return add(.compare(.lessOrEqual, left, right))
        case ">": return add(.compare(.greater, left, right))
        default: return add(.compare(.greaterOrEqual, left, right))
        }
    }

    private mutating func textTest(_ call: [JSON], at path: String) throws(FilterError) -> Int32 {
        let text = try operand(call, 1, at: path)
        let other = try operand(call, 2, at: path)
        if call[0].stringValue == "contains" { return add(.contains(text, other)) }
        guard case .literal(let literal) = program.nodes[Int(other)] else { return add(.matchPattern(text, other)) }
        guard let pattern = program.literals[Int(literal)].json.stringValue else { return add(.never) }
        guard pattern.utf16Count <= program.limits.globUnits else {
            let limit = program.limits.globUnits
            throw FilterError(.limit, at: "\(path)[2]", "a pattern has at most \(limit) UTF-16 units")
        }
        program.globs.append(Glob(pattern))
        return add(.match(text, glob: Int32(program.globs.count - 1)))
    }

    /// Compiles `in`. The list is `{"value": [...]}`, an array or the path of one in the event; its items are operands.
    private mutating func membership(_ call: [JSON], at path: String) throws(FilterError) -> Int32 {
        let item = try operand(call, 1, at: path)
        guard call.count > 2 else { throw Self.missing(2, at: path) }
        if case .string(let text) = call[2] {
            let place = try place(text, at: "\(path)[2]")
            let error = FilterError(.badOperand, at: "\(path)[2]", "the event has no list of operands there")
            return add(.isInEvent(item, place: place, fault: addFault(error, isCertain: false)))
        }
        guard let items = call[2].elements ?? call[2]["value"]?.elements else {
            throw FilterError(
                .badOperand, at: "\(path)[2]", "the list of 'in' must be {\"value\": [items]} or the path of a list")
        }
        let prefix = "\(path)[2]\(call[2].elements == nil ? ".value" : "")"
        let (start, end) = addList(items.indices.map { listItem(items[$0], at: "\(prefix)[\($0)]") })
        return add(.isIn(item, start: start, end: end))
    }

    /// Compiles an item of a list. An invalid item matters only when no item before it was found.
    private mutating func listItem(_ json: JSON, at path: String) -> Int32 {
        do throws(FilterError) {
            return try operand(json, at: path)
        } catch {
            return add(.fault(addFault(error, isCertain: true)))
        }
    }

    // MARK: Operands

    /// Compiles an operand of a comparison. Only here are calls evaluated, and only those of functions and text tests.
    private mutating func compared(
        _ call: [JSON], _ position: Int, at path: String
    ) throws(FilterError) -> Int32 {
        guard position < call.count else { throw Self.missing(position, at: path) }
        let json = call[position]
        let path = "\(path)[\(position)]"
        // Like the evaluators of the field, this looks for a call in a literal, too.
        guard case .array(let inner) = json["value"] ?? json else { return try operand(json, at: path) }
        switch (inner.first?.stringValue, inner.count) {
        case ("lowercase", 2), ("typeof", 2), ("length", 2): return try function(inner, at: path)
        case ("contains", 3), ("match", 3): return add(.condition(try textTest(inner, at: path)))
        default: return addLiteral(.array(inner))
        }
    }

    private mutating func function(_ call: [JSON], at path: String) throws(FilterError) -> Int32 {
        let argument = try operand(call, 1, at: path)
        switch call[0].stringValue {
        case "lowercase": return add(.lowercase(argument))
        case "typeof": return add(.typeName(argument))
        default: return add(.length(argument))
        }
    }

    private mutating func operand(_ call: [JSON], _ position: Int, at path: String) throws(FilterError) -> Int32 {
        guard position < call.count else { throw Self.missing(position, at: path) }
        return try operand(call[position], at: "\(path)[\(position)]")
    }

    /// Compiles an operand. `{"value": x}` is a literal, and a text is a path. An array is a literal; a number or a
    /// boolean is a path without keys, which is the whole event.
    private mutating func operand(_ json: JSON, at path: String) throws(FilterError) -> Int32 {
        switch json {
        case .object(let object): return addLiteral(object["value"])
        case .array: return addLiteral(json)
        case .string(let text): return add(.place(try place(text, at: path)))
        case .number, .bool: return add(.place(0))
        case .null: throw FilterError(.badOperand, at: path, "null is not an operand; the literal is {\"value\": null}")
        }
    }

    private mutating func place(_ text: String, at path: String) throws(FilterError) -> Int32 {
        let keys = try FilterPath(text, at: path, limits: program.limits).keys
        var position: Int32 = 0
        for key in keys { position = addPlace(FilterProgram.Place(parent: position, key: key)) }
        return position
    }

    // MARK: Building

    private mutating func add(_ node: FilterNode) -> Int32 {
        program.nodes.append(node)
        return Int32(program.nodes.count - 1)
    }

    private mutating func addFault(_ error: FilterError, isCertain: Bool) -> Int32 {
        program.faults.append(FilterProgram.Fault(error: error, isCertain: isCertain))
        mayFail = true
        if isCertain { problems.append(error) }
        return Int32(program.faults.count - 1)
    }

    private mutating func addLiteral(_ value: JSON?) -> Int32 {
        program.literals.append(FilterProgram.Literal(value))
        return add(.literal(Int32(program.literals.count - 1)))
    }

    private mutating func addList(_ operands: [Int32]) -> (Int32, Int32) {
        program.lists += operands
        return (Int32(program.lists.count - operands.count), Int32(program.lists.count))
    }

    private mutating func addPlace(_ place: FilterProgram.Place) -> Int32 {
        if let position = placePositions[place] { return position }
        program.places.append(place)
        let position = Int32(program.places.count - 1)
        placePositions[place] = position
        return position
    }

    private static func missing(_ position: Int, at path: String) -> FilterError {
        FilterError(.badOperand, at: path, "operand \(position) is missing")
    }
}
