import Foundation
import Logging
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The description of the HTTP API", .timeLimit(.minutes(30))) struct OpenAPITests {
    /// One request of the walk through the API.
    private struct Call {
        let id: String
        let path: String
        var body: String?
        var status = 200
        var headers: [String: String] = [:]

        init(_ id: String, _ path: String, body: String? = nil, status: Int = 200, headers: [String: String] = [:]) {
            (self.id, self.path, self.body, self.status, self.headers) = (id, path, body, status, headers)
        }
    }

    /// An operation as the document has it.
    private struct Operation {
        let method: String
        let path: String
        let prefixes: [String]
        let responses: JSONObject
    }

    private func document() throws -> JSON { try JSON.parse(EmbeddedFile.named("openapi.json").text) }

    private func operations(_ document: JSON) throws -> [String: Operation] {
        var operations: [String: Operation] = [:]
        for (path, item) in try #require(document["paths"]?.objectValue) {
            let servers = item["servers"]?.elements?.compactMap { $0["url"]?.stringValue } ?? ["/"]
            for (method, operation) in item.objectValue ?? [:] where method != "servers" {
                let id = try #require(operation["operationId"]?.stringValue)
                #expect(operations[id] == nil, "\(id) is there twice")
                operations[id] = Operation(
                    method: method.uppercased(), path: path, prefixes: servers.map { $0 == "/" ? "" : $0 },
                    responses: operation["responses"]?.objectValue ?? [:])
            }
        }
        return operations
    }

    @Test("The description has every route and no other routes")
    func routes() async throws {
        let documented = Set(
            try operations(document()).values.flatMap { operation in
                operation.prefixes.map { "\(operation.method) \($0)\(operation.path)" }
            })
        let folder = try TemporaryFolder()
        var configuration = WorkspaceConfiguration(dataFolder: folder.path)
        configuration.adminToken = TestClient.token
        configuration.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let workspace = try Workspace(configuration)
        let parts = try Workspace.parts(configuration, workspace.store, workspace.engine)
        let served = Set(try Workspace.routes(parts, configuration))
        #expect(served.subtracting(documented).sorted() == [])
        #expect(documented.subtracting(served).sorted() == [])
        await workspace.engine.close()
        try workspace.store.close()
    }

    @Test("Every route of the administration documents the common refusals")
    func commonRefusals() throws {
        // The format has no place for shared answers, so each operation repeats them.
        let common = ["401": "Unauthorized", "421": "WrongHost"]
        for (path, item) in try #require(document()["paths"]?.objectValue) {
            for (method, operation) in item.objectValue ?? [:] where operation["security"] != nil {
                for (status, name) in common.merging(
                    method == "get" ? [:] : ["403": "Forbidden"], uniquingKeysWith: { $1 })
                {
                    let answer = operation["responses"]?[status]
                    // The deletion of events has another reason for 403.
                    guard operation["operationId"] != "reset" || status != "403" else { continue }
                    #expect(
                        answer?["$ref"]?.stringValue == "#/components/responses/\(name)", "\(method) \(path) \(status)")
                }
                #expect(operation["responses"]?["429"] != nil, "\(method) \(path)")
            }
        }
    }

    @Test("Every documented request gets its documented answer and its documented refusal")
    func answers() async throws {
        let document = try document()
        let operations = try operations(document)
        let check = SchemaCheck(document: document)
        var walked: Set<String> = []
        try await TestWorkspace.run(allowsReset: true, program: CommandRun.executable.path) { workspace async throws in
            var client = workspace.client
            let cookie = try await client.login()
            for call in Self.calls(cookie) {
                let operation = try #require(operations[call.id], "\(call.id) is not documented")
                walked.insert(call.id)
                for prefix in operation.prefixes {
                    client.token = call.headers["Authorization"] == nil ? TestClient.token : nil
                    let answer = try await plainOrNot(client, operation.method, prefix + call.path, call)
                    let name = "\(call.id) \(operation.method) \(prefix)\(call.path)"
                    #expect(answer.status == call.status, "\(name): \(answer.text)")
                    let response = try #require(
                        operation.responses["\(answer.status)"], "\(name): \(answer.status) is not documented")
                    let contents = check.resolved(response)["content"]?.objectValue
                    guard let contents else { continue }
                    let type = answer.type.split(separator: ";").first.map(String.init) ?? ""
                    let content = try #require(contents[type], "\(name): \(answer.type) is not documented")
                    guard type == "application/json", let schema = content["schema"] else { continue }
                    #expect(check.problems(try JSON.parse(answer.text), schema) == [], "\(name)")
                }
            }
        }
        #expect(Set(operations.keys).subtracting(walked).sorted() == [])
    }

    private struct Answer {
        let status: Int
        let type: String
        let text: String
    }

    /// The event stream never ends, and `URLSession` follows redirects.
    private func plainOrNot(_ client: TestClient, _ method: String, _ path: String, _ call: Call) async throws -> Answer
    {
        if call.id == "stream", call.status == 200 {
            var messages = try EventStreamClient.connect(client.url + path).makeAsyncIterator()
            #expect(await messages.next() != nil)
            return Answer(status: 200, type: "text/event-stream", text: "")
        }
        if (300..<400).contains(call.status) || call.id.hasPrefix("page") && call.headers["Cookie"] != nil {
            let answer = try await client.plain(method, path, call.body ?? "", headers: call.headers)
            return Answer(status: answer.status, type: answer.header("Content-Type") ?? "", text: answer.text)
        }
        let answer = try await client.send(method, path, body: call.body.map { Array($0.utf8) }, headers: call.headers)
        return Answer(status: answer.status, type: answer.header("Content-Type") ?? "", text: answer.text)
    }

    private static func calls(_ cookie: String) -> [Call] {
        let event = #"{"writeKey":"WK","userId":"u","event":"E","name":"N","groupId":"g","previousId":"p"}"#
        let batch = #"{"writeKey":"WK","batch":[{"type":"track","event":"E","userId":"u","messageId":"m-1"}]}"#
        var calls = [
            "sendBatch", "sendBatchSpelledOut", "sendBatchOldName", "sendSignalBatch", "sendSignalBatchVersioned",
        ]
        .map { id in
            let paths = [
                "sendBatch": "/b", "sendBatchSpelledOut": "/batch", "sendBatchOldName": "/import",
                "sendSignalBatch": "/signals/b", "sendSignalBatchVersioned": "/signals/v1/b",
            ]
            return Call(id, paths[id] ?? "", body: batch)
        }
        for type in ["track", "identify", "page", "screen", "group", "alias"] {
            calls.append(Call("send\(type.capitalized)", "/\(type)", body: event))
            calls.append(Call("send\(type.capitalized)Short", "/\(type.prefix(1))", body: event))
        }
        let trace = JSON.object([
            "writeKey": "WK", "traces": [Events.trace("m-1"), Events.trace("m-2", outcome: "dropped")],
        ])
        let gzip = ["Content-Encoding": "br"]
        calls += [
            Call("sendHealthReport", "/health-reports", body: Self.report),
            Call("sendHealthReport", "/health-reports", body: "{}", status: 400),
            Call("sendHealthReport", "/health-reports", body: Self.report.replacing("WK", with: "NO"), status: 401),
            Call("sendTraces", "/traces", body: trace.description),
            Call("sendSignals", "/signals?writeKey=WK", body: #"[{"type":"navigation","anonymousId":"a","data":{}}]"#),
            Call("sendBatch", "/b", body: "{", status: 400),
            Call("sendBatch", "/b", body: #"{"writeKey":"NO","batch":[]}"#, status: 401),
            Call("sendBatch", "/b", body: batch, status: 415, headers: gzip),
            Call(
                "sendBatch", "/b",
                body: #"{"writeKey":"WK","batch":[{"type":"screen","userId":"u"},{"type":"screen"}]}"#,
                headers: ["Tributary-Import": "true"]),
            // An event without a user is rejected.
            Call("sendBatch", "/b", body: #"{"writeKey":"WK","batch":[{"type":"screen"}]}"#),
            Call("health", "/health"), Call("ready", "/ready"), Call("robots", "/robots.txt"),
            Call("metrics", "/metrics", headers: ["Authorization": "Bearer \(TestClient.token)"]),
            Call("pageFile", "/page/v/styles/base.css"), Call("pageFile", "/page/v/events/list.js"),
            Call("pageFile", "/page/v/styles/icon.svg"), Call("pageFile", "/page/v/events/none.js", status: 404),
            Call("favicon", "/favicon.ico", status: 204),
            Call("page", "/", status: 302), Call("page", "/", headers: ["Cookie": cookie]), Call("loginPage", "/login"),
            Call("pageEvent", "/events/m", status: 302), Call("pageEvent", "/events/m", headers: ["Cookie": cookie]),
            Call("pageLibrary", "/library/v/none.js", status: 404),
            Call("login", "/login", body: "token=\(TestClient.token)", status: 303),
            Call("login", "/login", body: "x", status: 400),
            Call("login", "/login", body: "token=wrong", status: 401), Call("logout", "/logout", status: 303),
            Call("beginOpenID", "/login/oidc", status: 404), Call("finishOpenID", "/login/oidc/callback", status: 404),
            Call("sources", "/api/sources"),
            Call("sources", "/api/sources", status: 401, headers: ["Authorization": "Bearer x"]),
            Call("putSource", "/api/sources/WK", body: #"{"name":"Shop"}"#),
            Call("putSource", "/api/sources/MORE", status: 201),
            Call("putSource", "/api/sources/MORE", body: "[]", status: 400),
            Call("makeSource", "/api/sources", body: #"{"writeKey":"THIRD","name":"Third"}"#, status: 201),
            Call("makeSource", "/api/sources", body: #"{"writeKey":"THIRD"}"#, status: 409),
            Call("makeSource", "/api/sources", body: #"{"writeKey":".."}"#, status: 400),
            Call("removeSource", "/api/sources/THIRD"), Call("removeSource", "/api/sources/THIRD", status: 404),
        ]
        return calls + places(cookie) + administration() + forwarding()
    }

    private static func places(_ cookie: String) -> [Call] {
        LoginTarget.places.flatMap { place -> [Call] in
            let id = "page" + place.split(separator: "-").map(\.capitalized).joined()
            return [Call(id, "/\(place)", status: 302), Call(id, "/\(place)", headers: ["Cookie": cookie])]
        }
    }

    private static let report = """
        {"writeKey":"WK","instanceId":"i","number":1,"versions":[{"version":"1","events":5,"faulty":1,"times":[5],
        "incidents":{"loadFailed":1},"plugins":[{"name":"P","seen":5,"faults":1,
        "fault":{"message":"no","file":"f.js","line":4,"event":"E"}}]}],"delivery":{"tracked":5,"lost":{"full":1}},
        "destinations":[{"key":"A","delivered":4}]}
        """

    private static func administration() -> [Call] {
        let rule = JSON.array([RoutingRulesTests.rule]).description
        let source = "/api/sources/WK"
        let none = "/api/sources/NONE"
        return [
            Call("putFilters", source + "/filters", body: rule),
            Call("putFilters", source + "/filters", body: "{", status: 400),
            Call("filters", source + "/filters"), Call("filters", none + "/filters", status: 404),
            Call("dryRun", source + "/filters/dry-run", body: rule),
            Call("putIntegrations", source + "/integrations", body: #"{"A":{"k":1}}"#),
            Call("integrations", source + "/integrations"),
            Call("keys", source + "/keys"), Call("addKey", source + "/keys", body: #"{"key":"K2"}"#, status: 201),
            Call("addKey", source + "/keys", body: #"{"key":"K2"}"#, status: 409),
            Call("revokeKey", source + "/keys/K2"),
            Call("revokeKey", source + "/keys/K2", status: 404), Call("revokeKey", source + "/keys/WK", status: 409),
            Call("putPolicy", source + "/policy", body: #"{"signals":{"sources":{"uiKit":{"sampleRate":0.5}}}}"#),
            Call("policy", source + "/policy"), Call("putPolicy", source + "/policy", body: "[]", status: 400),
            Call("putPlan", source + "/plan", body: PlanTests.plan), Call("plan", source + "/plan"),
            Call("putPlan", source + "/plan", body: #"{"events":[{}]}"#, status: 400),
            Call("plan", none + "/plan", status: 404), Call("catalog", "/api/catalog?writeKey=WK"),
            Call("planEvent", source + "/plan/events", body: #"{"type":"screen","name":"Home"}"#),
            Call("planEvent", source + "/plan/events", body: "{}", status: 400),
            Call("importPlan", source + "/plan/import?dryRun=true", body: PlanSchemaTests.schema),
            Call("importPlan", source + "/plan/import", body: PlanSchemaTests.schema),
            Call("importPlan", source + "/plan/import", body: "{}", status: 400),
            Call("importPlan", none + "/plan/import", body: PlanSchemaTests.schema, status: 404),
            Call("overview", "/api/overview"), Call("overview", "/api/overview?writeKey=NONE", status: 404),
            Call("planViolations", source + "/plan/violations"),
            Call("planViolations", source + "/plan/violations?since=x", status: 400),
            Call("planViolations", none + "/plan/violations", status: 404),
            Call("planDiffering", source + "/plan/differing?type=track&limit=5"),
            Call("planDiffering", source + "/plan/differing?problem=x", status: 400),
            Call("planDiffering", none + "/plan/differing", status: 404),
            Call("eventPlan", "/api/events/none/plan", status: 404),
            Call("breakdown", "/api/breakdown?writeKey=WK&property=event&compare=true"),
            Call("breakdown", "/api/breakdown?writeKey=WK&limit=0", status: 400),
            Call("breakdown", "/api/breakdown?writeKey=NONE", status: 404),
            Call("askInSQL", source + "/sql?rows=5", body: "SELECT 1"), Call("askInSQL", source + "/sql"),
            Call("askInSQL", source + "/sql", body: "DELETE FROM tracks", status: 400),
            Call("askInSQL", none + "/sql", status: 404),
            Call("funnel", "/api/funnel?writeKey=WK&step=A&step=B&property=event"),
            Call("funnel", "/api/funnel?writeKey=WK&step=A", status: 400),
            Call("funnel", "/api/funnel?writeKey=NONE&step=A&step=B", status: 404),
            Call("retention", "/api/retention?writeKey=WK&first=A&by=week"),
            Call("retention", "/api/retention?writeKey=WK", status: 400),
            Call("retention", "/api/retention?writeKey=NONE&first=A", status: 404),
            Call("people", "/api/people?writeKey=WK&search=u"), Call("people", "/api/people?writeKey=WK", status: 400),
            Call("people", "/api/people?writeKey=NONE&search=u", status: 404),
            Call("groups", "/api/groups?writeKey=WK&limit=5"),
            Call("groups", "/api/groups?writeKey=WK&limit=0", status: 400),
            Call("groups", "/api/groups?writeKey=NONE", status: 404),
            Call("groupMembers", "/api/groups/members?writeKey=WK&groupId=g"),
            Call("groupMembers", "/api/groups/members?writeKey=WK", status: 400),
            Call("groupMembers", "/api/groups/members?writeKey=NONE&groupId=g", status: 404),
            Call("livePlugins", source + "/live-plugins"), Call("deploy", source + "/live-plugins", body: "// 1"),
            Call("deploy", source + "/live-plugins?percentage=5", body: "// 2"),
            Call("deploy", source + "/live-plugins?percentage=5", body: "// 3", status: 409),
            Call("deploy", source + "/live-plugins", body: "", status: 400),
            Call("settings", "/projects/WK/settings"), Call("settings", "/projects/WK/settings?device=d"),
            Call("settings", "/projects/NO/settings", status: 404),
            Call("livePluginBundle", "/projects/WK/live-plugins/1.js"),
            Call("livePluginBundle", "/projects/WK/live-plugins/9.js", status: 404),
            Call("deploymentLog", "/projects/WK/live-plugins/log"),
            Call("deploymentLog", "/projects/WK/live-plugins/log?from=1"),
            Call("deploymentLog", "/projects/WK/live-plugins/log?from=0", status: 400),
            Call("deploymentLog", "/projects/NO/live-plugins/log", status: 404),
            Call("stopOnDevices", source + "/stops", body: #"{"kind":"livePlugins","seconds":60}"#, status: 201),
            Call("stopOnDevices", source + "/stops", body: #"{"kind":"livePlugins","seconds":1}"#, status: 400),
            Call("stopOnDevices", source + "/stops", body: #"{"kind":"livePlugins","version":99}"#, status: 404),
            Call("stops", source + "/stops"), Call("stops", none + "/stops", status: 404),
            Call("settings", "/projects/WK/settings"),
            Call("endStop", source + "/stops/1"), Call("endStop", source + "/stops/1", status: 404),
            Call("endStop", source + "/stops/x", status: 400),
            Call("widen", source + "/live-plugins/widen", body: #"{"percentage":50}"#),
            Call("widen", source + "/live-plugins/widen", body: #"{"percentage":20}"#, status: 409),
            Call("rollBack", source + "/live-plugins/rollback"), Call("disable", source + "/live-plugins"),
            Call("livePlugins", source + "/live-plugins"), Call("livePlugins", none + "/live-plugins", status: 404),
            Call("rollout", source + "/live-plugins/rollout"),
            Call("pauseRollout", source + "/live-plugins/rollout/pause", status: 409),
            Call("deploy", source + "/live-plugins?stages=10,100&holdSeconds=60", body: "// planned"),
            Call("deploy", source + "/live-plugins?stages=10,50", body: "// planned", status: 400),
            Call("pauseRollout", source + "/live-plugins/rollout/pause"),
            Call("resumeRollout", source + "/live-plugins/rollout/resume"),
            Call("advanceRollout", source + "/live-plugins/rollout/advance"),
            Call("rollout", source + "/live-plugins/rollout"),
            Call("rollout", none + "/live-plugins/rollout", status: 404),
            Call(
                "announceDifferences", source + "/live-plugins/rollout/announced", body: #"{"announced":[]}"#,
                status: 409),
            Call("deploy", source + "/live-plugins?stages=10,100&shadow=10&announce=dropped:Debug", body: "// shadow"),
            Call("announceDifferences", source + "/live-plugins/rollout/announced", body: #"{"announced":["made:A"]}"#),
            Call("announceDifferences", source + "/live-plugins/rollout/announced", body: "{}", status: 400),
            Call("rollout", source + "/live-plugins/rollout"), Call("settings", "/projects/WK/settings"),
            Call("advanceRollout", source + "/live-plugins/rollout/advance"),
            Call("advanceRollout", source + "/live-plugins/rollout/advance"),
            Call("filters", source + "/filters?version=99", status: 404),
            Call("filterVersions", source + "/filters/versions"),
            Call("filterVersions", none + "/filters/versions", status: 404),
            Call("pauseFilterRollout", source + "/filters/rollout/pause", status: 409),
            Call("putFilters", source + "/filters?stages=10,100&holdSeconds=60", body: "[]"),
            Call("putFilters", source + "/filters?stages=10,100", body: "[]", status: 409),
            Call("settings", "/projects/WK/settings"),
            Call("pauseFilterRollout", source + "/filters/rollout/pause"),
            Call("resumeFilterRollout", source + "/filters/rollout/resume"),
            Call("advanceFilterRollout", source + "/filters/rollout/advance"),
            Call("filterRollout", source + "/filters/rollout"),
            Call("filterRollout", none + "/filters/rollout", status: 404),
            Call("rollBackFilters", source + "/filters/rollback", body: #"{"version":0}"#),
            Call("rollBackFilters", source + "/filters/rollback", body: #"{"version":99}"#, status: 404),
            Call("orderTraces", source + "/traces", body: #"{"userId":"u","seconds":60}"#),
            Call("orderTraces", source + "/traces", body: #"{"seconds":60}"#, status: 400),
            Call("orderTraces", none + "/traces", body: #"{"userId":"u","seconds":60}"#, status: 404),
            Call("sendBatch", "/b", body: #"{"writeKey":"WK","batch":[{"type":"screen","userId":"u"}]}"#),
            Call("traceOrders", source + "/traces"), Call("traceOrders", none + "/traces", status: 404),
            Call("endTraces", source + "/traces?userId=u"), Call("endTraces", source + "/traces", status: 400),
            Call("livePluginHealth", "/api/live-plugins/health?writeKey=WK"),
            Call("livePluginHealth", "/api/live-plugins/health?writeKey=WK&hours=0", status: 400),
            Call("livePluginHealth", "/api/live-plugins/health?writeKey=NO", status: 404),
            Call("ledger", "/api/ledger?writeKey=WK"), Call("ledger", "/api/ledger?writeKey=WK&stored=false"),
            Call("ledger", "/api/ledger?writeKey=WK&stored=x", status: 400),
            Call("ledger", "/api/ledger?writeKey=NO", status: 404),
            Call("events", "/api/events"), Call("events", "/api/events?limit=x", status: 400),
            Call("events", "/api/events?where=event=E"), Call("events", "/api/events?where=.", status: 400),
            Call("event", "/api/events/m-1"),
            Call("event", "/api/events/none", status: 404), Call("drops", "/api/drops"),
            Call("signals", "/api/signals"),
            Call("rejected", "/api/rejected"), Call("stats", "/api/stats"),
            Call("stats", "/api/stats?writeKey=NONE", status: 400),
            Call("events", "/api/events?writeKey=NONE", status: 400),
            Call("catalog", "/api/catalog?writeKey=WK"), Call("catalog", "/api/catalog", status: 400),
            Call("catalog", "/api/catalog?writeKey=NONE", status: 404),
            Call("export", "/api/export?writeKey=NONE", status: 400), Call("export", "/api/export"),
            Call("export", "/api/export?format=csv"),
            Call("export", "/api/export?format=parquet&page=true", status: 400),
            Call("export", "/api/export?format=parquet&columns=name,a:int64"),
            Call("waitForEvent", "/api/wait-for-event"),
            Call("waitForEvent", "/api/wait-for-event?name=none&timeout=0", status: 404), Call("stream", "/api/stream"),
            Call("stream", "/api/stream?lastEventId=x", status: 400), Call("audit", "/api/audit"),
            Call("tokens", "/api/tokens"),
            Call("server", "/api/server"), Call("cluster", "/api/cluster"), Call("who", "/api/login"),
            Call("tryLivePlugins", source + "/live-plugins/try", body: "// 1"),
            Call("tryLivePlugins", source + "/live-plugins/try?last=0", body: "class {"),
            Call("tryLivePlugins", source + "/live-plugins/try?last=x", body: "// 1", status: 400),
            Call("tryLivePlugins", none + "/live-plugins/try", body: "// 1", status: 404),
            Call("reviewLivePlugins", source + "/live-plugins/review", body: "// 1"),
            Call("reviewLivePlugins", source + "/live-plugins/review?sessions=5", body: "class {"),
            Call("reviewLivePlugins", source + "/live-plugins/review?sessions=0", body: "// 1", status: 400),
            Call("reviewLivePlugins", none + "/live-plugins/review", body: "// 1", status: 404),
            Call("goldenSessions", source + "/live-plugins/golden"),
            Call("goldenSessions", source + "/live-plugins/golden?sessions=201", status: 400),
            Call("goldenSessions", none + "/live-plugins/golden", status: 404),
            Call("trySignals", source + "/signals/try", body: #"{"source":"// 1","signals":[{"type":"a"}]}"#),
            Call("trySignals", source + "/signals/try", body: #"{"source":"// 1"}"#, status: 400),
            Call("trySignals", none + "/signals/try", body: #"{"source":"","signals":[]}"#, status: 404),
            Call("addToken", "/api/tokens", body: #"{"name":"Ana","role":"deploy"}"#, status: 201),
            Call("addToken", "/api/tokens", body: #"{"name":"Ana","role":"look"}"#, status: 409),
            Call(
                "addToken", "/api/tokens",
                body: #"{"name":"Ben","role":"look","sources":["WK"],"endsAt":"2999-01-01","personalData":"hidden"}"#,
                status: 201),
            Call("addToken", "/api/tokens", body: #"{"name":"Ana"}"#, status: 400), Call("tokens", "/api/tokens"),
            Call("revokeToken", "/api/tokens/Ana"), Call("revokeToken", "/api/tokens/Ana", status: 404),
            Call(
                "putAlert", "/api/alerts/quiet",
                body: #"{"kind":"silence","writeKey":"WK","event":"E","to":"slack","url":"http://127.0.0.1:1/x"}"#,
                status: 201),
            Call(
                "putAlert", "/api/alerts/quiet", body: #"{"kind":"silence","writeKey":"WK","event":"E","to":"slack"}"#),
            Call("putAlert", "/api/alerts/disk", body: #"{"kind":"disk"}"#, status: 409),
            Call("putAlert", "/api/alerts/disk", body: #"{"kind":"dusk"}"#, status: 400),
            Call(
                "putAlert", "/api/alerts/lost",
                body: #"{"kind":"rejected","writeKey":"NONE","to":"webhook","url":"http://127.0.0.1:1/"}"#, status: 404),
            Call("alerts", "/api/alerts"), Call("testAlert", "/api/alerts/quiet/test"),
            Call("testAlert", "/api/alerts/none/test", status: 404),
            Call("removeAlert", "/api/alerts/quiet"), Call("removeAlert", "/api/alerts/quiet", status: 404),
            Call("putView", "/api/views/ours", body: #"{"place":"explore","query":"by=name"}"#, status: 201),
            Call("putView", "/api/views/ours", body: #"{"board":1}"#),
            Call("sharedBoard", "/api/shared-board"), Call("sharedAnswer", "/api/shared-board/ours"),
            Call("sharedAnswer", "/api/shared-board/none", status: 404),
            Call("pageShared", "/shared"),
            Call("addBoardLink", "/api/board-links", body: #"{"name":"hall","until":"2099-01-01"}"#, status: 201),
            Call("addBoardLink", "/api/board-links", body: #"{"name":"hall"}"#, status: 409),
            Call("addBoardLink", "/api/board-links", body: #"{"name":"past","until":"2001-01-01"}"#, status: 400),
            Call("boardLinks", "/api/board-links"), Call("revokeBoardLink", "/api/board-links/hall"),
            Call("revokeBoardLink", "/api/board-links/hall", status: 404),
            Call("putView", "/api/views/theirs", body: #"{"place":"explore"}"#, status: 400),
            Call("putView", "/api/views/theirs", body: #"{"name":"others","place":"events","query":""}"#, status: 404),
            Call("putView", "/api/views/theirs", body: #"{"place":"events","query":""}"#, status: 201),
            Call("putView", "/api/views/theirs", body: #"{"name":"ours"}"#, status: 409),
            Call("views", "/api/views"), Call("view", "/api/views/ours"), Call("view", "/api/views/none", status: 404),
            Call("removeView", "/api/views/ours"), Call("removeView", "/api/views/ours", status: 404),
            Call("suppress", "/api/suppressions?userId=u", body: #"{"reason":"asked"}"#),
            Call("suppress", "/api/suppressions?userId=u", body: "[]", status: 400),
            Call("suppress", "/api/suppressions", body: "{}", status: 400),
            Call("suppressions", "/api/suppressions"), Call("suppressions", "/api/suppressions?after=x", status: 400),
            Call("suppressions", "/api/suppressions?userId=u"), Call("suppressions", "/api/suppressions?anonymousId=u"),
            Call("endSuppression", "/api/suppressions?userId=u"),
            Call("endSuppression", "/api/suppressions?userId=u", status: 404),
            Call("consent", "/api/consent?anonymousId=d"), Call("consent", "/api/consent", status: 400),
            Call("consent", "/api/consent?messageId=none", status: 404),
            Call("eraseUser", "/api/users/nobody"), Call("eraseNamedUser", "/api/users?userId=.."),
            Call("openapi", "/api/openapi.json"),
            Call("reset", source + "/events"),
            Call("reset", none + "/events", status: 404),
        ]
    }

    private static let code =
        "class Fn extends Destination { static hosts = ['example.com']; track() { return null; } }"

    private static func forwarding() -> [Call] {
        let list = "/api/sources/WK/destinations"
        let none = "/api/sources/NONE/destinations"
        let hook = list + "/My%20Hook"
        // The address has no listener. The destination is off, so that only the test event is sent.
        let body = #"{"kind":"webhook","settings":{"url":"http://127.0.0.1:9/"},"enabled":false,"from":"start"}"#
        let lake = list + "/Lake"
        let bucket = #"{"endpoint":"http://127.0.0.1:9","bucket":"events","accessKey":"AK"}"#
        let fn = list + "/Fn"
        let function = """
            {"kind":"function","secrets":{"writeKey":"W"},\
            "settings":{"template":"segment-compatible","settings":{"endpoint":"http://127.0.0.1:9"}}}
            """
        let hooks = [
            Call("sourceFunction", "/api/sources/WK/function", status: 404),
            Call("putSourceFunction", "/api/sources/WK/function", body: #"{"template":"stripe"}"#, status: 422),
            Call("putSourceFunction", "/api/sources/WK/function", body: "[]", status: 400),
            Call("putSourceFunction", "/api/sources/NONE/function", body: "{}", status: 404),
            Call(
                "putSourceFunction", "/api/sources/WK/function",
                body: #"{"template":"stripe","secrets":{"signingSecret":"s"}}"#, status: 201),
            Call("putSourceFunction", "/api/sources/WK/function", body: #"{"settings":{"userKey":"id"}}"#),
            Call("sourceFunction", "/api/sources/WK/function"),
            Call("sourceFunctionVersions", "/api/sources/WK/function/versions"),
            Call("sourceFunctionVersions", "/api/sources/NONE/function/versions", status: 404),
            Call("sourceFunctionVersion", "/api/sources/WK/function/versions/1"),
            Call("sourceFunctionVersion", "/api/sources/WK/function/versions/9", status: 404),
            Call("rollBackSourceFunction", "/api/sources/WK/function/rollback"),
            Call("rollBackSourceFunction", "/api/sources/WK/function/rollback", body: "[]", status: 400),
            Call("functionTemplates", "/api/functions/templates"),
            Call("checkFunction", "/api/functions/check", body: #"{"template":"slack"}"#),
            Call("checkFunction", "/api/functions/check", body: #"{"code":"class"}"#, status: 422),
            Call("checkFunction", "/api/functions/check", body: "{}", status: 400),
            Call("sendToHook", "/v1/hooks/none", body: "{}", status: 404),
            Call("removeSourceFunction", "/api/sources/WK/function"),
            Call("removeSourceFunction", "/api/sources/WK/function", status: 404),
        ]
        return hooks + [
            Call("putDestination", lake, body: #"{"kind":"s3","settings":\#(bucket),"secret":"SK"}"#, status: 201),
            Call("putDestination", lake, body: #"{"secret":"SK2"}"#), Call("destination", lake),
            Call("replaceSecret", lake + "/secret", status: 409), Call("removeDestination", lake),
            Call("putDestination", fn, body: function, status: 201), Call("destination", fn),
            Call("putDestination", fn, body: #"{"settings":{"code":"class"}}"#, status: 422),
            Call("tryFunction", fn + "/trial"), Call("tryFunction", fn + "/trial", body: #"{"last":1}"#),
            Call("tryFunction", fn + "/trial", body: #"{"last":0}"#, status: 400),
            Call("tryFunction", fn + "/trial", body: #"{"code":"class"}"#, status: 422),
            Call("tryFunction", fn + "/trial?type=track", body: #"{"version":1,"compare":true}"#),
            Call("tryFunction", fn + "/trial", body: #"{"version":9}"#, status: 404),
            Call("putDestination", fn, body: #"{"settings":{"code":"\#(Self.code)"},"enabled":false}"#),
            Call("destinationVersions", fn + "/versions"), Call("destinationVersion", fn + "/versions/1"),
            Call("destinationVersions", list + "/None/versions", status: 404),
            Call("destinationVersion", fn + "/versions/9", status: 404),
            Call("destinationVersion", fn + "/versions/x", status: 400),
            Call("destinationRollout", fn + "/rollout"),
            Call("destinationRollout", list + "/None/rollout", status: 404),
            Call("advanceDestinationRollout", fn + "/rollout/advance", status: 409),
            Call("putDestination", fn, body: #"{"settings":{"code":"\#(Self.code) "},"rollout":{"stages":[50,100]}}"#),
            Call("pauseDestinationRollout", fn + "/rollout/pause"), Call("destination", fn),
            Call("pauseDestinationRollout", fn + "/rollout/pause", status: 409),
            Call("resumeDestinationRollout", fn + "/rollout/resume"),
            Call("advanceDestinationRollout", fn + "/rollout/advance"), Call("destinationRollout", fn + "/rollout"),
            Call("rollBackDestination", fn + "/rollback", status: 200),
            Call("rollBackDestination", fn + "/rollback", status: 200),
            Call("rollBackDestination", fn + "/rollback", body: #"{"version":9}"#, status: 404),
            Call("rollBackDestination", fn + "/rollback", body: "[]", status: 400),
            Call("tryFunction", list + "/None/trial", status: 404), Call("replaceSecret", fn + "/secret", status: 409),
            Call("removeDestination", fn),
            Call("putDestination", hook, body: body, status: 201),
            Call("tryFunction", hook + "/trial", status: 409),
            Call("destinationVersions", hook + "/versions", status: 409),
            Call("rollBackDestination", hook + "/rollback", status: 409),
            Call("putDestination", hook, body: #"{"settings":{"url":"http://127.0.0.1:9/b","timeoutSeconds":1}}"#),
            Call("putDestination", hook, body: body, status: 400),
            Call("putDestination", list + "/Archive", body: #"{"kind":"files","settings":{}}"#, status: 409),
            Call("putDestination", hook, body: #"{"colour":"red"}"#, status: 400),
            Call("putDestination", none + "/Hook", body: body, status: 404),
            Call("destinations", list), Call("destinations", none, status: 404), Call("destination", hook),
            Call("destination", list + "/None", status: 404), Call("testDestination", hook + "/test"),
            Call("testDestination", list + "/None/test", status: 404), Call("replaceSecret", hook + "/secret"),
            Call("replaceSecret", list + "/None/secret", status: 404), Call("deadLetters", hook + "/dead-letters"),
            Call("deadLetters", hook + "/dead-letters?limit=x", status: 400),
            Call("deadLetters", list + "/None/dead-letters", status: 404),
            Call("retryDeadLetters", hook + "/dead-letters/retry"),
            Call("retryDeadLetters", hook + "/dead-letters/retry", body: #"{"sequences":[1]}"#),
            Call("retryDeadLetters", hook + "/dead-letters/retry", body: "[]", status: 400),
            Call("discardDeadLetters", hook + "/dead-letters"), Call("releaseHeldEvents", hook + "/held/release"),
            Call("releaseHeldEvents", list + "/None/held/release", status: 404),
            Call("replay", hook + "/replay", status: 404), Call("pauseReplay", hook + "/replay/pause", status: 404),
            Call("beginReplay", hook + "/replay?dryRun=true"),
            Call("beginReplay", hook + "/replay?from=1", status: 400),
            Call("beginReplay", hook + "/replay?name=A&rate=5", status: 201),
            Call("beginReplay", hook + "/replay", status: 409),
            Call("replay", hook + "/replay"), Call("pauseReplay", hook + "/replay/pause"),
            Call("resumeReplay", hook + "/replay/resume"), Call("endReplay", hook + "/replay"),
            Call("endReplay", hook + "/replay", status: 409),
            Call("resumeReplay", hook + "/replay/resume", status: 409),
            Call("deletionRequests", hook + "/deletions"),
            Call("deletionRequests", list + "/None/deletions", status: 404), Call("removeDestination", hook),
            Call("removeDestination", hook, status: 404),
        ]
    }

    @Test("Every example conforms to its schema")
    func examples() throws {
        let document = try document()
        let check = SchemaCheck(document: document)
        var count = 0
        func visit(_ json: JSON, at path: String) {
            if let schema = json["schema"], let example = json["example"] {
                count += 1
                #expect(check.problems(example, schema) == [], "\(path)")
            }
            for (name, value) in json.objectValue ?? [:] { visit(value, at: "\(path)/\(name)") }
            for value in json.elements ?? [] { visit(value, at: path) }
        }
        visit(document, at: "")
        #expect(count > 0)
    }

    @Test("The comparison with the description finds differences")
    func comparison() throws {
        let schema: JSON = [
            "type": "object", "required": ["a"], "additionalProperties": false,
            "properties": ["a": ["type": ["integer", "null"]], "b": ["type": "array", "items": ["type": "string"]]],
        ]
        let check = SchemaCheck(document: [:])
        #expect(check.problems(["a": .null, "b": ["x"]], schema) == [])
        #expect(check.problems(["b": []], schema) == ["$.a is missing"])
        #expect(check.problems(["a": 1, "c": 2], schema) == ["$.c is not documented"])
        #expect(check.problems(["a": "1"], schema).count == 1)
        #expect(check.problems(["a": 1, "b": ["x", 2]], schema).count == 1)
    }
}
