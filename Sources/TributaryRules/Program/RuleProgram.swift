package import TributaryJSON

/// Live plugins as data: what a bundle's plugins do with an event, as expression trees that Swift evaluates.
///
/// A program has no loops without a bound and no recursion, and it knows nothing but its event, so each evaluation ends.
/// `RuleProgram(json:)` checks that for programs of any origin.
package struct RuleProgram: Sendable, Equatable {
    /// A function: a method of a plugin, or a helper that methods call.
    package struct Function: Sendable, Equatable {
        /// The number of slots for its parameters and names. The parameters are first.
        package let slots: Int
        /// The number of its parameters.
        package let parameters: Int
        /// Whether it is strict code, as all methods of classes are. Other code ignores an assignment to a member of a
        /// text or a number.
        package let isStrict: Bool
        package let body: RuleNode

        package init(slots: Int, parameters: Int, isStrict: Bool, body: RuleNode) {
            self.slots = slots
            self.parameters = parameters
            self.isStrict = isStrict
            self.body = body
        }
    }

    /// A live plugin: its place, and the function for each type of event.
    package struct Plugin: Sendable, Equatable {
        package let name: String
        /// "before", "enrichment", "after" or "utility".
        package let type: String
        /// The key of the destination; nil for the client's own timeline.
        package let destination: String?
        /// The functions by the names of their methods, such as "track" or "process".
        package let methods: [String: Int]

        package init(name: String, type: String, destination: String?, methods: [String: Int]) {
            self.name = name
            self.type = type
            self.destination = destination
            self.methods = methods
        }
    }

    /// Values that functions read and cannot change.
    package let constants: [JSON]
    /// A function calls only functions before it, so that none can call itself.
    package let functions: [Function]
    /// In the order in which the script adds them.
    package let plugins: [Plugin]

    package init(constants: [JSON], functions: [Function], plugins: [Plugin]) {
        self.constants = constants
        self.functions = functions
        self.plugins = plugins
    }

    /// The types of a plugin's place.
    package static let types = ["before", "enrichment", "after", "utility"]
    /// The methods that a plugin can have.
    package static let methods = ["track", "identify", "screen", "page", "group", "alias", "process"]
    /// The events that a program can make.
    package static let emissions = ["track", "identify", "screen", "group", "alias"]
    /// Slots of a lambda: its parameters, and the array that `map` and others pass on.
    package static let lambdaSlots = 4
}

/// Why a text is no program.
package struct RuleProgramError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
