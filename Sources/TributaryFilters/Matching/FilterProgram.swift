import TributaryJSON

/// Matchers in compiled form: any number of them share the places in the event that they look at.
///
/// Positions have 32 bits, because `FilterLimits` keeps a destination far below 2^31 nodes. The program is a class,
/// because copying a dozen arrays would cost more than evaluating most matchers.
final class FilterProgram: Sendable {
    /// A place in an event, as a key below another place; the first place is the event itself.
    struct Place: Sendable, Hashable {
        let parent: Int32
        let key: PathKey
    }

    struct Literal: Sendable {
        let value: FilterValue
        /// Null for `undefined`; `value` distinguishes the two.
        let json: JSON
        /// Nil for a value that is not a text.
        let facts: TextFacts?

        init(_ value: JSON?) {
            self.value = FilterValue(value)
            json = value ?? .null
            facts = value?.stringValue.map { TextFacts($0) }
        }
    }

    /// The reason why the answer of a matcher may be unknown.
    struct Fault: Sendable {
        let error: FilterError
        /// False when only some events reach the fault.
        let isCertain: Bool
    }

    /// The program while it is built.
    struct Parts: Sendable {
        var nodes: [FilterNode] = []
        var lists: [Int32] = []
        var literals: [Literal] = []
        var globs: [Glob] = []
        var faults: [Fault] = []
        var places: [Place] = [Place(parent: -1, key: PathKey(""))]
        var limits = FilterLimits()
    }

    let nodes: [FilterNode]
    let lists: [Int32]
    let literals: [Literal]
    let globs: [Glob]
    let faults: [Fault]
    let places: [Place]
    let placeTable: PlaceTable
    let limits: FilterLimits

    init(_ parts: Parts) {
        nodes = parts.nodes
        lists = parts.lists
        literals = parts.literals
        globs = parts.globs
        faults = parts.faults
        places = parts.places
        placeTable = PlaceTable(parts.places)
        limits = parts.limits
    }

    /// The invalid parts, in the order of the expressions.
    var problems: [FilterError] { faults.filter(\.isCertain).map(\.error) }
}
