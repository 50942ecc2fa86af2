/// The kinds of nodes of a program. The raw value is the name in a program's JSON.
package enum RuleOperation: String, Sendable, Hashable, CaseIterable {
    // Values.
    case empty, undefined, null, `true`, `false`, number, text, constant, slot
    case array, object, property, computed, spread, template
    // Members. `optional` ends the `chain` around it when its value is null or undefined.
    case get, index, set, setIndex, delete, deleteIndex, optional, chain
    // Names.
    case assign, sequence
    // Calls. A `lambda` stands only among the arguments of a method.
    case method, builtin, call, lambda, emit
    // Operators.
    case not, negate, plus, bitNot, type, void
    case add, subtract, multiply, divide, remainder, power
    case less, lessOrEqual, greater, greaterOrEqual, equal, notEqual, same, notSame, `in`
    case bitAnd, bitOr, bitXor, shiftLeft, shiftRight, shiftRightUnsigned
    case and, or, coalesce, choose
    // Statements.
    case block, run, `if`, `return`, `throw`, forOf, forIn, `for`, `break`, `continue`
    case `switch`, `case`, otherwise

    /// The value that a node of this kind has besides its children.
    package enum Payload: Sendable { case nothing, number, text, index, line }

    package var payload: Payload {
        switch self {
        case .number: .number
        case .text, .property, .get, .set, .delete, .method, .builtin, .emit: .text
        case .constant, .slot, .assign, .call, .lambda, .forOf, .forIn: .index
        case .run, .if, .return, .throw, .for, .switch: .line
        default: .nothing
        }
    }

    /// The numbers of children that a node of this kind can have.
    package var children: ClosedRange<Int> {
        switch self {
        case .empty, .undefined, .null, .true, .false, .number, .text, .constant, .slot, .break, .continue: 0...0
        case .property, .spread, .get, .optional, .chain, .delete, .assign, .lambda, .not, .negate, .plus,
            .bitNot, .type, .void, .run, .return, .throw:
            1...1
        case .computed, .index, .set, .deleteIndex, .forOf, .forIn: 2...2
        case .setIndex, .choose, .if: 3...3
        case .for: 4...4
        case .method, .switch, .case: 1...RuleLimits.children
        case .array, .object, .template, .sequence, .builtin, .call, .emit, .block, .otherwise: 0...RuleLimits.children
        default: 2...2
        }
    }

    /// Whether a node of this kind is a statement.
    package var isStatement: Bool {
        switch self {
        case .block, .run, .if, .return, .throw, .forOf, .forIn, .for, .break, .continue, .switch: true
        default: false
        }
    }
}
