/// The limits of programs and of their evaluation, in one place.
package enum RuleLimits {
    /// Nodes of all functions of a program.
    package static let nodes = 20_000
    /// Children of one node.
    package static let children = 1_000
    /// Nested nodes, through the functions that a function calls. Each takes a part of the thread's stack.
    package static let depth = 100
    /// Functions of a program, its methods included.
    package static let functions = 200
    /// Plugins of a program.
    package static let plugins = 50
    /// Names of one function.
    package static let slots = 200
    /// UTF-8 bytes of one text in a program.
    package static let textBytes = 8 * 1024
    /// Bytes of a program's JSON.
    package static let programBytes = 512 * 1024
    /// Steps of one evaluation: a node is a step, and so are 16 characters of a text that an operation makes or reads.
    package static let steps = 200_000
    /// UTF-16 units of a text that a program makes.
    package static let textUnits = 256 * 1024
    /// Elements of an array that a program makes.
    package static let elements = 16 * 1024
    /// Nested objects and arrays of a returned event. An event has 120 levels at the most.
    package static let valueDepth = 256
}
