/// The places of a script that get guards, and the facts that decide their texts.
struct GuardPlaces {
    /// A guard and the offset of the byte before which it goes.
    struct Insertion {
        let offset: Int
        let text: String
    }

    /// The kind of guard in a place. Its text is decided at the end.
    enum Guarding {
        case text(String)
        case condition(GuardStyle, isWhole: Bool)
        case body(GuardStyle)
    }

    private struct Place {
        let offset: Int
        let guarding: Guarding
        /// The number of the function with this loop.
        var function: Int?
    }

    private var places: [Place] = []
    /// For each function, whether it catches anything.
    private var catches: [Bool] = []
    /// The places of regular expressions.
    private(set) var expressions: [Range<Int>] = []
    /// Whether the script contains a big integer.
    var hasBigIntegers = false

    /// The guards in the order of their offsets.
    var insertions: [Insertion] {
        let order = places.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
        return order.map { Insertion(offset: $0.element.offset, text: text(of: $0.element)) }
    }

    mutating func insert(_ text: String, at offset: Int) {
        places.append(Place(offset: offset, guarding: .text(text)))
    }

    /// A guard of a loop in a function.
    mutating func insert(loop guarding: Guarding, at offset: Int, inFunction function: Int?) {
        places.append(Place(offset: offset, guarding: guarding, function: function))
    }

    mutating func note(expression: Range<Int>) { expressions.append(expression) }

    /// The number of a function that begins.
    mutating func beginFunction() -> Int {
        catches.append(false)
        return catches.count - 1
    }

    mutating func noteCatch(inFunction number: Int) { catches[number] = true }

    func catches(inFunction number: Int) -> Bool { catches[number] }

    private func text(of place: Place) -> String {
        switch place.guarding {
        case .text(let text): text
        case .condition(let style, let isWhole): GuardText.condition(decided(style, place), isWhole: isWhole)
        case .body(let style): GuardText.body(decided(style, place))
        }
    }

    /// A loop of a function that catches exceptions counts by the global counter: its own would give it more turns
    /// after each exception that should end it.
    private func decided(_ style: GuardStyle, _ place: Place) -> GuardStyle {
        guard style == .counted, let function = place.function, catches[function] else { return style }
        return .global
    }
}
