import Foundation
import ProgramSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Requests of the programs beside the server", .timeLimit(.minutes(30)))
struct URLSessionAnswerTests {
    @Test("Requests of tasks that are cancelled while their answers come have their answers")
    func cancelled() async throws {
        try await TestWorkspace.run { workspace async throws in
            let url = try #require(URL(string: workspace.client.url + "/ready"))
            let session = URLSession(configuration: .ephemeral)
            for round in 0..<600 {
                let request = Task { try await session.answer(to: URLRequest(url: url)) }
                // From at once to after the answer.
                for _ in 0..<(round % 300) { await Task.yield() }
                request.cancel()
                #expect(try await !request.value.body.isEmpty)
            }
            session.invalidateAndCancel()
        }
    }

    @Test("An answer has its body and its status, and a server that is away is an error")
    func answer() async throws {
        try await TestWorkspace.run { workspace async throws in
            let url = try #require(URL(string: workspace.client.url + "/no/such/place"))
            let (body, response) = try await URLSession.shared.answer(to: URLRequest(url: url))
            #expect((response as? HTTPURLResponse)?.statusCode == 404 && !body.isEmpty)
        }
        let away = try #require(URL(string: "http://127.0.0.1:1/"))
        await #expect(throws: URLError.self) { try await URLSession.shared.answer(to: URLRequest(url: away)) }
    }
}
