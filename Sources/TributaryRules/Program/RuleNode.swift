/// One node of a program's expression tree: an operation, what it needs to know, and its operands.
///
/// A node never changes, so any thread may use it.
package final class RuleNode: Sendable {
    package let operation: RuleOperation
    /// A name or a text; empty for operations without one.
    package let text: String
    package let number: Double
    /// The number of a slot, a constant or a function, or the line of a statement in the script.
    package let index: Int
    package let children: [RuleNode]

    package init(
        _ operation: RuleOperation, text: String = "", number: Double = 0, index: Int = 0, _ children: [RuleNode] = []
    ) {
        self.operation = operation
        self.text = text
        self.number = number
        self.index = index
        self.children = children
    }
}

extension RuleNode: Equatable {
    package static func == (left: RuleNode, right: RuleNode) -> Bool {
        left.operation == right.operation && left.text.utf8.elementsEqual(right.text.utf8)
            && left.number.bitPattern == right.number.bitPattern && left.index == right.index
            && left.children == right.children
    }
}
