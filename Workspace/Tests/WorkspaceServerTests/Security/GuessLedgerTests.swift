import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Guesses at the token") struct GuessLedgerTests {
    @Test("After some wrong guesses within a minute an address waits until the minute is over")
    func pause() {
        var ledger = GuessLedger()
        for guess in 0..<Limits.guesses {
            #expect(ledger.pause(of: "a", now: Int64(guess)) == nil)
            ledger.missed("a", now: Int64(guess))
        }
        #expect(ledger.pause(of: "a", now: 100) == Limits.guessMilliseconds - 100)
        #expect(ledger.pause(of: "b", now: 100) == nil)
        #expect(ledger.pause(of: "a", now: Limits.guessMilliseconds) == nil)
        ledger.missed("a", now: Limits.guessMilliseconds)
        #expect(ledger.pause(of: "a", now: Limits.guessMilliseconds) == nil)
    }

    @Test("A clock that is set back locks no address out")
    func clock() {
        var ledger = GuessLedger()
        for _ in 0..<Limits.guesses { ledger.missed("a", now: 1_000_000) }
        #expect(ledger.pause(of: "a", now: 999_999) == nil)
    }

    @Test("Many addresses cost no more memory than the limit")
    func limit() {
        var ledger = GuessLedger()
        for _ in 0..<Limits.guesses { ledger.missed("first", now: 0) }
        for number in 0..<Limits.guessers { ledger.missed("\(number)", now: 1) }
        #expect(ledger.pause(of: "first", now: 2) == nil)
    }

    @Test("After wrong tokens the server refuses an address, also with the right token")
    func server() async throws {
        let clock = TestClock()
        let environment = WorkspaceEnvironment(now: { clock.now }, makeWriteKey: { "K" })
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let guesser = workspace.client.stranger
            let cookie = ["Cookie": try await guesser.login()]
            for _ in 0..<Limits.guesses / 2 {
                #expect(try await guesser.form("/login", "token=a-wrong-token-for-the-page").status == 401)
                let wrong = ["Authorization": "Bearer another-wrong-token"]
                #expect(try await guesser.get("/api/sources", headers: wrong).status == 401)
            }
            let page = try await guesser.form("/login", "token=\(TestClient.token)")
            #expect(page.status == 429)
            #expect(page.header("Retry-After") != nil)
            #expect(page.text.contains("Too many wrong tokens"))
            let answer = try await workspace.client.get("/api/sources")
            #expect(answer.status == 429)
            #expect(answer.header("Retry-After") == "60")
            // Logins and clients that send events are not affected.
            #expect(try await guesser.get("/api/sources", headers: cookie).status == 200)
            #expect(try await guesser.batch([Events.track(messageId: "m")]).status == 200)
            let metrics = try await guesser.get("/metrics", headers: cookie)
            #expect(metrics.text.contains("\ntributary_wrong_tokens_total \(Limits.guesses)\n"))
            clock.advance(by: Limits.guessMilliseconds)
            #expect(try await workspace.client.get("/api/sources").status == 200)
        }
    }
}
