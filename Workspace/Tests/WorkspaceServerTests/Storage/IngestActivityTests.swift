import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("When searches rest")
struct IngestActivityTests {
    /// The answers to the questions of a search, one after the other.
    private func answers(_ questions: (waiting: Int, lastSequence: UInt64)...) -> [Bool] {
        var activity = IngestActivity()
        return questions.map { activity.isBusy(waiting: $0.waiting, lastSequence: $0.lastSequence) }
    }

    @Test("A server that gets no requests is not busy")
    func quiet() { #expect(answers((0, 7), (0, 7)) == [false, false]) }

    @Test("A server is busy while requests wait to be stored")
    func waiting() { #expect(answers((1, 7), (1, 7), (0, 7)) == [true, true, false]) }

    @Test("A request that came since the last step makes a server busy, even when it is stored already")
    func arrived() { #expect(answers((0, 7), (0, 9), (0, 9)) == [false, true, false]) }
}
