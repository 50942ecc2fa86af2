import Hummingbird
import TributaryJSON
import WorkspaceCore

/// The board for readers of a link. They get the names of its questions, how to draw them, and their answers: no address of a
/// question, no condition, no key of a source.
struct SharedBoardRoutes: Sendable {
    let store: Store
    let answers: BoardAnswers
    var patience = Limits.boardPatience

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/shared-board") { _, _ in
            let names = try await views().map { JSON.string($0.name) }
            return Response.json(["questions": .array(names)])
        }
        router.get("api/shared-board/:name") { _, context in
            let name = try context.pathParameter("name")
            guard let view = try await views().first(where: { $0.name == name }) else {
                throw Refusal.notFound("the board has no such question")
            }
            return Response.json(try await answer(view))
        }
    }

    /// The questions of the board in their order.
    private func views() async throws -> [SavedView] {
        try await store.views().filter { $0.board != nil }.sorted { ($0.board ?? 0) < ($1.board ?? 0) }
    }

    private func answer(_ view: SavedView) async throws -> JSON {
        var shown: JSON = ["name": .string(view.name), "state": "counting"]
        do throws(Refusal) {
            let question = try BoardQuestion(view)
            shown["question"] = question.drawing
            guard let answer = try await answer(to: question) else { return shown }
            shown["at"] = .time(answer.at)
            shown["answer"] = try Self.result(of: answer)
            shown["state"] = "answered"
        } catch {
            shown["state"] = "failed"
            shown["problem"] = .string(error.message)
        }
        return shown
    }

    private func answer(to question: BoardQuestion) async throws(Refusal) -> BoardAnswers.Answer? {
        do {
            return try await answers.answer(to: question, within: patience)
        } catch {
            throw Self.shown(error)
        }
    }

    private static func result(of answer: BoardAnswers.Answer) throws(Refusal) -> JSON {
        do {
            return try answer.outcome.get()
        } catch {
            throw shown(error)
        }
    }

    /// The reason for a reader of a link. A message of the API may name a condition or the key of a source.
    private static func shown(_ error: any Error) -> Refusal {
        switch (error as? Refusal)?.reason {
        case .notFound: Refusal(.notFound, "the source of this question was removed")
        case .unsupported: Refusal(.unsupported, "a cluster does not count people yet")
        case .tooMany, .unavailable: Refusal(.tooMany, "the server has too much to do; it is asked again later")
        default: Refusal(.unusable, "this question has a mistake; in the console it says which")
        }
    }
}
