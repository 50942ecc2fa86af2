import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// The bodies of the field's clients, as each language writes them: each time, id, library and context is read.
@Suite(.timeLimit(.minutes(30))) struct WireFormTests {
    struct Form: Sendable, CustomTestStringConvertible {
        let client: String
        let path: String
        let body: String
        /// The write key in Basic authentication, where the client sends it there and not in the body.
        var user: String?
        /// The write key in the header of its own.
        var key: String?
        /// The time of the event; nil where the client sends none, which makes it the time of arrival.
        let time: String?
        /// Nil where the client sends none, so that the workspace makes one.
        let messageId: String?
        let userId: String?
        let anonymousId: String?
        let library: String?
        var groupId: String?
        /// Members that are kept and not read.
        var kept: [String] = []

        var testDescription: String { client }
    }

    /// The requests arrive at noon, and clients say that they sent them then.
    private static let now = "2026-11-20T12:00:00.000Z"

    private static let forms = [
        Form(
            client: "python", path: "/v1/batch",
            body: #"""
                {"batch":[{"integrations":{},"anonymousId":null,"properties":{},"timestamp":"2026-11-20T11:30:00.123+00:00",
                "context":{"library":{"name":"analytics-python","version":"2"}},"userId":"u","type":"track","event":"E",
                "messageId":"m"}],"sentAt":"2026-11-20T12:00:00.000001+00:00","writeKey":"WK"}
                """#,
            time: "2026-11-20T11:30:00.123Z", messageId: "m", userId: "u", anonymousId: nil, library: "analytics-python"
        ),
        Form(
            client: "node", path: "/v1/batch",
            body: #"""
                {"batch":[{"type":"track","event":"E","userId":"u","properties":{},"integrations":{},"options":{},
                "timestamp":"2026-11-20T11:30:00.123Z","messageId":"node-next-1-a","_metadata":{"nodeVersion":"22.0.0",
                "jsRuntime":"node"},"context":{"library":{"name":"@segment/analytics-node","version":"2"}}}],
                "sentAt":"2026-11-20T12:00:00.000Z","writeKey":"WK"}
                """#,
            time: "2026-11-20T11:30:00.123Z", messageId: "node-next-1-a", userId: "u", anonymousId: nil,
            library: "@segment/analytics-node", kept: ["_metadata", "options"]),
        Form(
            client: "go", path: "/v1/batch",
            body: #"""
                {"messageId":"b","sentAt":"2026-11-20T12:00:00Z","batch":[{"type":"track","messageId":"m","anonymousId":"a",
                "event":"E","timestamp":"2026-11-20T11:30:00.123456789Z"}],"writeKey":"WK",
                "context":{"library":{"name":"analytics-go","version":"3"}}}
                """#,
            time: "2026-11-20T11:30:00.123Z", messageId: "m", userId: nil, anonymousId: "a", library: "analytics-go"),
        Form(
            client: "java", path: "/v1/batch",
            body: #"""
                {"batch":[{"type":"track","messageId":"m",
                "timestamp":"2026-11-20T11:30:00.123456Z","userId":"u","event":"E","properties":{}}],
                "sentAt":"2026-11-20T12:00:00.000Z","context":{"library":{"name":"analytics-java","version":"3"}},
                "sequence":1,"writeKey":"WK"}
                """#,
            time: "2026-11-20T11:30:00.123Z", messageId: "m", userId: "u", anonymousId: nil, library: "analytics-java"),
        Form(
            client: "ruby", path: "/v1/batch",
            body: #"""
                {"sentAt":"2026-11-20T12:00:00.000Z","writeKey":"WK","batch":[{"anonymousId":null,
                "context":{"library":{"name":"analytics-ruby","version":"2"}},"integrations":null,"messageId":"m",
                "timestamp":"2026-11-20T12:30:00.123+01:00","userId":7,"options":null,"type":"track","event":"E",
                "properties":{}}]}
                """#,
            time: "2026-11-20T11:30:00.123Z", messageId: "m", userId: "7", anonymousId: nil, library: "analytics-ruby",
            kept: ["options"]),
        Form(
            client: "php", path: "/v1/batch",
            body: #"""
                {"batch":[{"userId":"u","event":"E","properties":{},"context":{"library":{"name":"analytics-php",
                "version":"3","consumer":"LibCurl"}},"timestamp":"2026-11-20T11:30:00+00:00","messageId":"m","type":"track"}],
                "sentAt":"2026-11-20T12:00:00+00:00","writeKey":"WK"}
                """#,
            time: "2026-11-20T11:30:00.000Z", messageId: "m", userId: "u", anonymousId: nil, library: "analytics-php"),
        Form(
            client: ".NET", path: "/v1/batch",
            body: #"""
                {"messageId":"b","sentAt":"2026-11-20T13:00:00.0000000+01:00","writeKey":"WK","batch":[{"event":"E",
                "properties":{},"userId":"u","type":"track","messageId":"m","timestamp":"2026-11-20T12:30:00.1234567+01:00",
                "context":{"library":{"name":"Analytics.NET","version":"3"}},"integrations":{},"anonymousId":null}]}
                """#,
            time: "2026-11-20T11:30:00.123Z", messageId: "m", userId: "u", anonymousId: nil, library: "Analytics.NET"),
        Form(
            client: "C#", path: "/v1/b",
            body: #"""
                {"batch":[{"type":"track","anonymousId":"a","messageId":"m","userId":null,
                "timestamp":"2026-11-20T11:30:00.1234567Z","context":{"library":{"name":"Analytics-CSharp","version":"2"}},
                "integrations":{},"metrics":[],"_metadata":{"bundled":[],"unbundled":[],"bundledIds":[]},"event":"E",
                "properties":{}}],"sentAt":"2026-11-20T12:00:00.0000000Z","writeKey":"WK"}
                """#,
            time: "2026-11-20T11:30:00.123Z", messageId: "m", userId: nil, anonymousId: "a",
            library: "Analytics-CSharp",
            kept: ["metrics"]),
        Form(
            client: "Kotlin", path: "/v1/b",
            body: #"""
                {"batch":[{"properties":{},"event":"E","type":"track","messageId":"m","anonymousId":"a","integrations":{},
                "context":{"library":{"name":"analytics-kotlin","version":"1"}},"timestamp":"2026-11-20T11:30:00.123456Z",
                "userId":"","_metadata":{"bundled":[],"unbundled":[],"bundledIds":[]}}],
                "sentAt":"2026-11-20T12:00:00Z","writeKey":"WK"}
                """#,
            time: "2026-11-20T11:30:00.123Z", messageId: "m", userId: nil, anonymousId: "a", library: "analytics-kotlin"
        ),
        Form(
            client: "Swift", path: "/v1/b",
            body: #"""
                { "batch": [{"type":"track","anonymousId":"a","messageId":"m","timestamp":"2026-11-20T11:30:00.123Z",
                "context":{"library":{"name":"analytics-swift","version":"1"},"instanceId":"i"},"integrations":{},
                "_metadata":{"bundled":[],"unbundled":[],"bundledIds":[]},"event":"E","properties":{}}],
                "sentAt":"2026-11-20T12:00:00.000Z","writeKey":"WK"}
                """#,
            time: "2026-11-20T11:30:00.123Z", messageId: "m", userId: nil, anonymousId: "a", library: "analytics-swift"),
        Form(
            client: "C++", path: "/v1/track",
            body: #"{"event":"E","properties":{"a":"b"},"type":"track","userId":"u","writeKey":"WK"}"#,
            time: nil, messageId: nil, userId: "u", anonymousId: nil, library: nil),
        Form(
            client: "C++, groups in batches", path: "/v1/batch",
            body: #"""
                {"batch":[{"groupId":"g","sentAt":"2026-11-20T12:00:00.000Z","timestamp":"2026-11-20T11:30:00.123Z",
                "type":"group","userId":"u"}]}
                """#,
            user: "WK", time: "2026-11-20T11:30:00.123Z", messageId: nil, userId: "u", anonymousId: nil, library: nil,
            groupId: "g"),
        Form(
            client: "C++, groups one by one", path: "/v1/group",
            body: #"{"groupId":"g","properties":{"plan":"pro"},"type":"group","anonymousId":"a"}"#,
            user: "WK", time: nil, messageId: nil, userId: nil, anonymousId: "a", library: nil, groupId: "g",
            kept: ["properties"]),
        Form(
            client: "C++, a page without a name", path: "/v1/batch",
            body: #"""
                {"batch":[{"properties":{},"sentAt":"2026-11-20T12:00:00.000Z","timestamp":"2026-11-20T11:30:00.123Z",
                "type":"page","userId":"u"}]}
                """#,
            user: "WK", time: "2026-11-20T11:30:00.123Z", messageId: nil, userId: "u", anonymousId: nil, library: nil),
        Form(
            client: "Jitsu", path: "/v1/batch",
            body: #"""
                {"writeKey":"WK","batch":[{"type":"track","event":"E","properties":{},"userId":"u","anonymousId":"a",
                "groupId":null,"messageId":"m","timestamp":"2026-11-20T11:30:00.123Z","sentAt":"2026-11-20T11:30:00.123Z",
                "writeKey":"key:***","requestIp":"203.0.113.9","context":{"library":{"name":"@jitsu/js","version":"1",
                "env":"browser"},"clientIds":{"fbp":"f"},"page":{"url":"https://a.example"},"campaign":{}}}]}
                """#,
            time: "2026-11-20T12:00:00.000Z", messageId: "m", userId: "u", anonymousId: "a", library: "@jitsu/js",
            kept: ["requestIp", "writeKey"]),
        Form(
            client: "Jitsu, one by one", path: "/v1/track",
            body: #"""
                {"type":"track","event":"E","properties":{},"userId":"u","anonymousId":"a","groupId":null,"messageId":"m",
                "timestamp":"2026-11-20T11:30:00.123Z","sentAt":"2026-11-20T11:30:00.123Z","writeKey":"***",
                "context":{"library":{"name":"@jitsu/js","version":"1","env":"browser"}}}
                """#,
            key: "WK", time: "2026-11-20T12:00:00.000Z", messageId: "m", userId: "u", anonymousId: "a",
            library: "@jitsu/js", kept: ["writeKey"]),
    ]

    @Test("The body of each client is read: time, ids, library and context", arguments: forms)
    func form(_ form: Form) async throws {
        var environment = WorkspaceEnvironment.testing
        let now = try #require(ISO8601.milliseconds(Self.now))
        environment.now = { now }
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            var headers: [String: String] = [:]
            headers["Authorization"] = form.user.map { "Basic " + Data("\($0):".utf8).base64EncodedString() }
            headers["X-Write-Key"] = form.key
            let answer = try await workspace.client.send(
                "POST", form.path, body: Array(form.body.utf8), headers: headers)
            #expect(answer.status == 200)
            let stored = try #require(try await workspace.client.events().first)
            let event = stored["event"]
            #expect(stored["timestamp"]?.stringValue == form.time ?? Self.now)
            if let messageId = form.messageId { #expect(event?["messageId"]?.stringValue == messageId) }
            #expect(event?["messageId"]?.stringValue?.isEmpty == false)
            #expect(stored["userId"]?.stringValue == form.userId)
            #expect(stored["anonymousId"]?.stringValue == form.anonymousId)
            #expect(event?["context"]?["library"]?["name"]?.stringValue == form.library)
            if let groupId = form.groupId { #expect(event?["groupId"]?.stringValue == groupId) }
            for name in form.kept { #expect(event?[name] != nil, "\(name)") }
        }
    }

    @Test("A group of the C++ client that names no user is rejected with the reason, in a batch and by itself")
    func groupWithoutUser() async throws {
        let group: JSON = ["groupId": "g", "timestamp": "2026-11-20T11:30:00.123Z", "type": "group"]
        try await TestWorkspace.run { workspace async throws in
            let headers = ["X-Write-Key": "WK"]
            #expect(try await workspace.client.post("/v1/batch", ["batch": [group]], headers: headers).status == 200)
            #expect(try await workspace.client.post("/v1/group", group, headers: headers).status == 200)
            #expect(try await workspace.client.events() == [])
            let rejected = try await workspace.client.get("/api/rejected").json["rejected"]?.elements ?? []
            #expect(rejected.map { $0["code"] } == ["no_user_anon_id", "no_user_anon_id"])
        }
    }
}
