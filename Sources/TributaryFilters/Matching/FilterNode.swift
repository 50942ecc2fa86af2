/// One step of a compiled matcher. Operands are positions in the program, so evaluating copies and counts nothing.
enum FilterNode: Sendable {
    /// How numbers are compared.
    enum Order: Sendable { case less, lessOrEqual, greater, greaterOrEqual }

    // Conditions
    case always
    case never
    /// An invalid part. Reaching it makes the answer of the whole matcher unknown.
    case fault(Int32)
    /// The operand is `true` itself.
    case isTrue(Int32)
    /// A function's result is truthy.
    case isTruthy(Int32)
    case not(Int32)
    /// The operands are in the program's `lists`.
    case and(start: Int32, end: Int32)
    case or(start: Int32, end: Int32)
    case equal(Int32, Int32)
    case notEqual(Int32, Int32)
    case compare(Order, Int32, Int32)
    case isIn(Int32, start: Int32, end: Int32)
    /// An item, the place in the event of a list of operands, and the fault when there is no list.
    case isInEvent(Int32, place: Int32, fault: Int32)
    case contains(Int32, Int32)
    /// A text and a position in the program's `globs`.
    case match(Int32, glob: Int32)
    /// A text and a pattern that comes from the event.
    case matchPattern(Int32, Int32)

    // Operands
    /// A position in the program's `literals`.
    case literal(Int32)
    /// A position in the program's `places`.
    case place(Int32)
    case lowercase(Int32)
    case typeName(Int32)
    case length(Int32)
    /// A condition as an operand of a comparison.
    case condition(Int32)
}
