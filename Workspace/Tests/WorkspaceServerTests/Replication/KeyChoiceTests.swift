import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The key of new records") struct KeyChoiceTests {
    private let new: [UInt8] = [1, 1, 1, 1]
    private let old: [UInt8] = [2, 2, 2, 2]

    private func looks(_ count: Int, _ choice: inout KeyChoice, _ readers: [[[UInt8]]]) {
        for _ in 0..<count { choice.note(readers) }
    }

    @Test("A new log is sealed with the node's own key") func first() { #expect(KeyChoice(own: new).mark == new) }

    @Test("The key of the last record stays until all nodes have the new one in many looks in a row") func waits() {
        var choice = KeyChoice(own: new)
        choice.last = old
        #expect(choice.mark == old)
        looks(99, &choice, [[new, old], [old]])
        looks(99, &choice, [])
        #expect(choice.mark == old)
        looks(KeyChoice.enough - 1, &choice, [[new, old], [old, new]])
        #expect(choice.mark == old)
        // One that was busy, and has the old key only.
        looks(1, &choice, [[new, old], [old]])
        looks(KeyChoice.enough - 1, &choice, [[new, old], [old, new]])
        #expect(choice.mark == old)
        looks(1, &choice, [[new, old], [old, new]])
        #expect(choice.mark == new)
    }

    @Test("A node that does not report its keys keeps the old key in use") func silent() {
        var choice = KeyChoice(own: new)
        choice.last = old
        looks(99, &choice, [[new, old], []])
        #expect(choice.mark == old)
    }

    @Test("Once a record has the new key, the node uses it without asking") func follows() {
        var choice = KeyChoice(own: new)
        choice.last = new
        looks(1, &choice, [[old]])
        #expect(choice.mark == new)
    }
}
