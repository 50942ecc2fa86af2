/// A part of a script as it is written, before names have a meaning.
final class Syntax {
    enum Kind {
        // Values.
        case name, number, string, template, array, object, member, index, call, new, chain, optional
        case arrow, function, unary, update, updateAfter, binary, assign, choose, spread, this, `super`
        // Members of objects and patterns. A `pattern` has the target and the value that stands in for undefined.
        case property, computed, absent, objectPattern, arrayPattern, pattern
        // Statements.
        case declaration, declarator, run, `if`, `return`, `throw`, forOf, forIn, `for`, `break`, `continue`
        case `switch`, `case`, otherwise, block, empty, `class`, method, field
        /// A part that the engine takes and no program has. The text is the reason.
        case refused
    }

    let kind: Kind
    /// The offset of its first byte in the script.
    let position: Int
    let text: String
    let parts: [Syntax]
    /// Whether a method or a field is static.
    var isStatic = false

    init(_ kind: Kind, at position: Int, _ text: String = "", _ parts: [Syntax] = []) {
        self.kind = kind
        self.position = position
        self.text = text
        self.parts = parts
    }
}

/// Why a part of a script does not become data.
struct Refusal: Error {
    let position: Int
    let reason: String
}
