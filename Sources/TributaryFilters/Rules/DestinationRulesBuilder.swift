import TributaryJSON

/// Collects and compiles the rules of one destination, and chooses the safe side for invalid parts.
struct DestinationRulesBuilder {
    private let destination: String
    private let limits: FilterLimits
    private var compiler: FilterCompiler
    private var pairs: [DestinationRules.Pair] = []
    private var transformers: [FilterTransformer] = []
    private(set) var problems: [FilterProblem] = []
    private var isFull = false

    init(destination: String, limits: FilterLimits) {
        self.destination = destination
        self.limits = limits
        compiler = FilterCompiler(limits: limits)
    }

    var rules: DestinationRules {
        DestinationRules(program: compiler.finished(), pairs: pairs, transformers: transformers)
    }

    /// Adds a rule's pairs of matcher and transformers. A missing list counts as one unreadable element.
    mutating func add(_ object: JSONObject, rule: Int) {
        let matchers = list("matchers", of: object, rule)
        let transformers = list("transformers", of: object, rule)
        let isReadable = matchers != nil && transformers != nil
        let count = max(matchers?.count ?? 0, transformers?.count ?? 0, isReadable ? 0 : 1)
        for position in 0..<count {
            guard hasRoom(rule) else { return }
            addPair(matchers, transformers, position, rule)
        }
    }

    private mutating func list(_ name: String, of object: JSONObject, _ rule: Int) -> [JSON]? {
        if let list = object[name]?.elements { return list }
        let state = object[name] == nil ? "are missing" : "are not a list"
        let consequence = name == "matchers" ? Self.everyEvent : Self.drops
        note(FilterError(.malformedRule, at: name, "the \(name) \(state)"), at: "", rule, consequence)
        return nil
    }

    private mutating func addPair(_ matchers: [JSON]?, _ transformers: [JSON]?, _ position: Int, _ rule: Int) {
        let (condition, answer) = condition(matchers, position, rule)
        let work = compiled(transformers, position, rule)
        let withholding = answer == .known ? nil : add(work.map(\.withholding))
        let range = answer == .unknown ? withholding : add(work)
        pairs.append(
            DestinationRules.Pair(
                rule: rule, condition: condition, transformers: range ?? 0..<0, withholding: withholding))
    }

    private mutating func add(_ work: [FilterTransformer]) -> Range<Int> {
        transformers += work
        return transformers.count - work.count..<transformers.count
    }

    /// Whether a matcher decides which events its rule applies to: for every event, for some, or for none.
    private enum Answer { case known, partlyKnown, unknown }

    /// The matcher's condition. For an invalid matcher it is the condition that is always true.
    private mutating func condition(
        _ matchers: [JSON]?, _ position: Int, _ rule: Int
    ) -> (position: Int32, Answer) {
        guard let matchers else { return (compiler.always(), .unknown) }
        let place = "matchers[\(position)]"
        guard position < matchers.count else {
            note(FilterError(.malformedRule, at: "", "the matcher is missing"), at: place, rule, Self.everyEvent)
            return (compiler.always(), .unknown)
        }
        do throws(FilterError) {
            let condition = try compiler.matcher(matchers[position])
            for error in compiler.problems { note(error, at: place, rule, Self.undecided) }
            return (condition, compiler.mayFail ? .partlyKnown : .known)
        } catch {
            note(error, at: place, rule, Self.everyEvent)
            return (compiler.always(), .unknown)
        }
    }

    private mutating func compiled(
        _ transformers: [JSON]?, _ position: Int, _ rule: Int
    ) -> [FilterTransformer] {
        guard let transformers else { return [FilterTransformer(action: .drop)] }
        let place = "transformers[\(position)]"
        guard position < transformers.count, let list = transformers[position].elements else {
            let detail =
                position < transformers.count ? "the transformers are not a list" : "the transformers are missing"
            note(FilterError(.malformedRule, at: "", detail), at: place, rule, Self.drops)
            return [FilterTransformer(action: .drop)]
        }
        return list.enumerated().map { index, json in
            var errors: [FilterError] = []
            let transformer = FilterTransformer(safely: json, limits: limits, errors: &errors)
            for error in errors {
                var consequence = Self.drops
                if case .map = transformer.action { consequence = Self.withholds }
                note(error, at: "\(place)[\(index)]", rule, consequence)
            }
            if let remark = transformer.remark { note(remark, at: "\(place)[\(index)]", rule) }
            return transformer
        }
    }

    /// Whether there is room for a rule. When there are too many, the rules that are left out might have been written
    /// to drop any event.
    private mutating func hasRoom(_ rule: Int) -> Bool {
        if pairs.count < limits.pairsPerDestination { return true }
        if isFull { return false }
        isFull = true
        let detail = "a destination has at most \(limits.pairsPerDestination) pairs of matcher and transformers"
        note(FilterError(.limit, at: "", detail), at: "", rule, Self.drops)
        transformers.append(FilterTransformer(action: .drop))
        let range = transformers.count - 1..<transformers.count
        pairs.append(
            DestinationRules.Pair(rule: rule, condition: compiler.always(), transformers: range, withholding: nil))
        return false
    }

    // MARK: Problems

    private static let everyEvent = "the rule removes its data from every event, and writes nothing"
    private static let undecided =
        "for an event that depends on this, the rule removes its data, and writes nothing"
    private static let drops = "the rule drops the events that it applies to"
    private static let withholds = "the value that it would overwrite is removed"

    private mutating func note(_ error: FilterError, at place: String, _ rule: Int, _ consequence: String? = nil) {
        let path = place.isEmpty || error.path.isEmpty ? place + error.path : "\(place).\(error.path)"
        problems.append(
            FilterProblem(
                rule: rule, destination: destination, path: path, reason: error.reason,
                message: consequence.map { "\(error.detail); \($0)" } ?? error.detail))
    }
}
