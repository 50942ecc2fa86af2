import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Names of sources, keys and integrations", .timeLimit(.minutes(30))) struct NameTests {
    private static let deceiving = [
        "line\nbreak", "line\u{2028}separator", "paragraph\u{2029}separator", "escape\u{1B}[31m", "nul\0",
        "right\u{202E}to left", "isolate\u{2066}", "mark\u{200F}", "tab\t", "next line\u{85}", "byte order\u{FEFF}",
    ]

    @Test("Names with line breaks, control characters or direction marks are refused", arguments: deceiving)
    func refused(name: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let body = JSON.object(["name": .string(name)]).encoded()
            let put = try await client.send("PUT", "/api/sources/NEW", body: body)
            #expect(put.status == 400)
            #expect(try await client.send("POST", "/api/sources", body: body).status == 400)
            #expect(try await client.send("POST", "/api/sources/WK/keys", body: body).status == 400)
            let settings = JSON.object([name: [:]]).encoded()
            let integrations = "/api/sources/WK/integrations"
            #expect(try await client.send("PUT", integrations, body: settings).status == 400)
            #expect(try await client.get(integrations).json == [:])
            #expect(!Destination.isValid(name: name))
            let sources = try await client.get("/api/sources").json["sources"]?.elements ?? []
            #expect(sources.count == 1)
        }
    }

    @Test("Names in every script and emoji are accepted", arguments: ["Büro 3", "店", "می‌خواهم", "👩‍👩‍👧"])
    func taken(name: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let body = JSON.object(["name": .string(name)]).encoded()
            let client = workspace.client
            #expect(try await client.send("PUT", "/api/sources/NEW", body: body).status == 201)
            #expect(try await client.send("POST", "/api/sources", body: body).status == 201)
            #expect(try await client.send("POST", "/api/sources/WK/keys", body: body).status == 201)
            let settings = JSON.object([name: [:]]).encoded()
            #expect(try await client.send("PUT", "/api/sources/WK/integrations", body: settings).status == 200)
            #expect(Destination.isValid(name: name))
        }
    }

    @Test("An empty name and a name that is too long are refused", arguments: ["", String(repeating: "a", count: 201)])
    func length(name: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let body = JSON.object(["name": .string(name)]).encoded()
            #expect(try await client.send("PUT", "/api/sources/NEW", body: body).status == 400)
            #expect(try await client.send("POST", "/api/sources", body: body).status == 400)
            #expect(try await client.send("POST", "/api/sources/WK/keys", body: body).status == 400)
            let settings = JSON.object([name: [:]]).encoded()
            #expect(try await client.send("PUT", "/api/sources/WK/integrations", body: settings).status == 400)
        }
    }
}
