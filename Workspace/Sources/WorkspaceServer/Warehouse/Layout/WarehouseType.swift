/// The types of columns. Which type a column gets, follows from its values.
enum WarehouseType: String, Sendable {
    case boolean
    case bigint
    case double = "double precision"
    case timestamp = "timestamp with time zone"
    case text
    case json = "jsonb"

    /// The type of a column that had one type, or none, and gets values of some kinds.
    ///
    /// Whole numbers become fractions where both occur, everything else becomes text. A whole number that no double holds
    /// exactly never becomes one: the column becomes text. A column never becomes narrower.
    static func joined(_ current: WarehouseType?, _ kinds: Set<WarehouseValue.Kind>) -> WarehouseType {
        var kinds = kinds
        switch current {
        case nil: break
        case .boolean: kinds.insert(.boolean)
        case .bigint: kinds.insert(.integer)
        case .double: kinds.insert(.double)
        case .timestamp: kinds.insert(.time)
        case .text, .json: return .text
        }
        if kinds == [.boolean] { return .boolean }
        if kinds == [.time] { return .timestamp }
        if kinds.isSubset(of: [.integer, .longInteger]) { return .bigint }
        return kinds.isSubset(of: [.integer, .double]) ? .double : .text
    }

    /// Whether a column of the type can hold a value.
    func holds(_ kind: WarehouseValue.Kind) -> Bool {
        switch self {
        case .boolean: kind == .boolean
        case .bigint: kind == .integer || kind == .longInteger
        case .double: kind == .integer || kind == .double
        case .timestamp: kind == .time
        case .text: true
        case .json: false
        }
    }
}
