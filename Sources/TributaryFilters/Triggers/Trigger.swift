/// A simple test of one place, which the tests of many rules can share.
///
/// The triggers of a condition are chosen so that at least one holds for every event for which the condition is true or
/// unknown. They may hold for other events, too: the condition itself decides.
enum Trigger: Sendable, Hashable {
    /// The value is of that type.
    case kind(Int32, FilterValue.Kind)
    /// The value is that number.
    case number(Int32, Double)
    /// The value is a text with that hash.
    case text(Int32, hash: UInt64)
    /// The value is a text whose lower case has that hash.
    case lowercase(Int32, hash: UInt64)
    /// The value is a text that contains these bytes. There is at least one byte.
    case contains(Int32, [UInt8])
    /// The value is that number or a larger one.
    case atLeast(Int32, Double)
    /// The value is that number or a smaller one.
    case atMost(Int32, Double)

    var place: Int32 {
        switch self {
        case .kind(let place, _), .number(let place, _), .text(let place, _), .lowercase(let place, _),
            .contains(let place, _), .atLeast(let place, _), .atMost(let place, _):
            place
        }
    }
}
