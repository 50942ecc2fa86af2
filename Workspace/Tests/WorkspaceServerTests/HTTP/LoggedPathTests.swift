import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Paths in logs") struct LoggedPathTests {
    @Test(
        "The id of a user and the address of a hook are not in a log",
        arguments: [
            ("/api/users/alice@example.com", "/api/users/{userId}"),
            ("//api///users/alice", "/api/users/{userId}"),
            ("/api/users/%61lice", "/api/users/{userId}"),
            ("/v1/hooks/0a1b2c", "/v1/hooks/{hook}"),
        ])
    func people(path: String, logged: String) { #expect(LoggedPath.text(path) == logged) }

    @Test("Other paths are logged as they are, without what controls a terminal")
    func others() {
        for path in ["/", "/v1/b", "/api/users", "/api/suppressions", "/api/events/m-1", "/api/sources/WK/filters"] {
            #expect(LoggedPath.text(path) == path)
        }
        #expect(LoggedPath.text("/a\u{1B}[31m\n") == "/a?[31m?")
        #expect(LoggedPath.text("/" + String(repeating: "a", count: 5_000)).count == 1_024)
    }

    @Test("Each route that names a person is known")
    func routes() throws {
        let description = try JSON.parse(try EmbeddedFile.named("openapi.json").text)
        let paths = try #require(description["paths"]?.objectValue).map(\.key)
        let personal = paths.filter { path in ["{userId}", "{anonymousId}", "{id}"].contains { path.contains($0) } }
        #expect(!personal.isEmpty)
        for path in personal {
            let filled = path.replacing(/\{[a-zA-Z]+\}/, with: "alice")
            #expect(!LoggedPath.text(filled).contains("alice"), "\(path)")
        }
    }
}
