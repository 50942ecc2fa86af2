import TributaryJSON

/// Matchers in compiled form: any number of them share the places in the event that they look at.
///
/// Positions have 32 bits: `FilterLimits` keeps a destination far below 2^31 nodes.
struct FilterProgram: Sendable {
    /// A place in an event, as a key below another place; the first place is the event itself.
    struct Place: Sendable, Hashable {
        let parent: Int32
        let key: PathKey
    }

    struct Literal: Sendable {
        let value: FilterValue
        /// Null for `undefined`, which only `value` knows.
        let json: JSON
        /// Nil for what is no text.
        let facts: TextFacts?

        init(_ value: JSON?) {
            self.value = FilterValue(value)
            json = value ?? .null
            facts = value?.stringValue.map { TextFacts($0) }
        }
    }

    /// Why the answer of a matcher may be unknown.
    struct Fault: Sendable {
        let error: FilterError
        /// False when it depends on the event whether something is wrong.
        let isCertain: Bool
    }

    var nodes: [FilterNode] = []
    var lists: [Int32] = []
    var literals: [Literal] = []
    var globs: [Glob] = []
    var faults: [Fault] = []
    var places: [Place] = [Place(parent: -1, key: PathKey(""))]
    /// By place: the places below it, when they are many.
    var groups: [PlaceGroup?] = []
    var limits = FilterLimits()

    /// What could not be understood, in the order of the expressions.
    var problems: [FilterError] { faults.filter(\.isCertain).map(\.error) }
}
