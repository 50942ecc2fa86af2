import AsyncHTTPClient
import Foundation
import NIOHTTP1
import Testing
import TributaryJSON

@testable import TributaryCommand
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Refused requests", .timeLimit(.minutes(30))) struct RefusalTests {
    private func refused(_ key: String = "K", address: String = "192.0.2.1") -> RefusedRequest {
        RefusedRequest(.unknownKey, reason: "r", key: key, path: "/v1/b", address: address, client: "c")
    }

    @Test("The same refusal is counted, and one address has its ten newest")
    func bounds() {
        var list = RefusalList()
        for now in 0..<3 { list.note(refused(), at: Int64(now)) }
        #expect(list.entries.map(\.count) == [3])
        #expect(list.entries.first?.firstAt == 0)
        #expect(list.entries.first?.lastAt == 2)
        for number in 0..<50 { list.note(refused("\(number)"), at: 10) }
        #expect(list.entries.count == 10)
        #expect(list.others == 43)
        #expect(!list.entries.contains { $0.request.key == "K" })
        // The oldest go when there are too many addresses.
        for number in 0..<500 { list.note(refused(address: "198.51.100.\(number)"), at: 20 + Int64(number)) }
        #expect(list.entries.count == Limits.refusals)
        #expect(list.entries.first?.request.address == "198.51.100.499")
        #expect(list.entries.map(\.count).reduce(list.others, +) == 553)
    }

    @Test("Long texts are cut, and at most half of a key is shown")
    func texts() {
        let long = String(repeating: "x", count: 100_000)
        let request = RefusedRequest(
            .unknownKey, reason: long, key: long, path: long, address: long, client: "a\u{1B}[2J\n" + long)
        #expect(request.reason.count == 300)
        #expect(request.key?.count == Limits.writeKeyLength + 1)
        #expect(request.path.count == 100)
        #expect(request.client.count == 100)
        #expect(request.client.hasPrefix("a [2J x"))
        #expect(request.beginningOfKey == "xxxxxxxx…")
        #expect(refused("abcdef").beginningOfKey == "abc…")
        #expect(refused("a").beginningOfKey == "a…")
        #expect(refused("").beginningOfKey == "")
    }

    @Test(
        "A slip of one character is recognised",
        arguments: [
            ("shopkey42", "shopkey24", KeyGuess.Slip.exchanged), ("shopkey42", "hsopkey42", .exchanged),
            ("shopkey42", "shopkez42", .changed), ("shopkey42", "shopkey4", .missing),
            ("shopkey42", "hopkey42", .missing),
            ("shopkey42", "shopkkey42", .added), ("shopkey42", "ShopKey42", .letterCase), ("shopkey42", "shopk", .cut),
            ("shopkey42", "\"shopkey42\"", .surrounded), ("shopkey42", "Bearer shopkey42", .surrounded),
            ("shopkey42", "shopkey42 ", .added), ("shopkey42", "otherkey1", nil), ("shopkey42", "shopkey42", nil),
            ("shopkey42", "shopekz42", nil), ("abc", "abd", nil), ("shopkey42", "", nil),
        ])
    func slips(known: String, sent: String, slip: KeyGuess.Slip?) {
        #expect(KeyGuess.slip(from: known, to: sent) == slip)
    }

    @Test(
        "The path that was probably meant is named, and a key in a path is not shown",
        arguments: [
            ("POST", "/v2/batch", "/v2/batch", "here it is /v1/batch"),
            ("GET", "/v1/batch", "/v1/batch", "here it is POST /v1/batch"),
            ("POST", "/v1/bacth", "/v1/bacth", "here it is /v1/batch"),
            ("POST", "/v1/tracks", "/v1/tracks", "here it is /v1/track"),
            (
                "GET", "/v1/projects/secret/nonsense", "/v1/projects/{writeKey}/nonsense",
                "here it is /v1/projects/{writeKey}/settings"
            ),
            (
                "POST", "/v1/projects/secret/settings", "/v1/projects/{writeKey}/settings",
                "here it is GET /v1/projects/{writeKey}/settings"
            ),
            ("GET", "/v1/projects/", "/v1/projects/", nil), ("GET", "/v1", "/v1", nil), ("POST", "/v1/x", "/v1/x", nil),
        ] as [(String, String, String, String?)])
    func paths(method: String, sent: String, shown: String, guess: String?) {
        let unknown = UnknownPath(method: method, path: sent)
        #expect(unknown.path == shown)
        #expect(unknown.reason == "there is no \(method) \(shown)")
        #expect(unknown.guess == guess)
        // What is kept is shown again later.
        #expect(UnknownPath(method: method, path: shown).guess == guess)
    }

    @Test("A wrong path is shown with the key that was sent, and not as if it were a wrong key")
    func wrongPaths() async throws {
        try await TestWorkspace.run(writeKeys: ["shopkey42"]) { workspace async throws in
            let client = workspace.client
            #expect(try await client.get("/v1/projects/shopkey42/nonsense").status == 404)
            #expect(try await client.get("/v1/projects/shopkey24/nonsense").status == 404)
            let basic = Data("shopkey42:".utf8).base64EncodedString()
            #expect(try await client.post("/v2/batch", [:], headers: ["Authorization": "Basic \(basic)"]).status == 404)
            #expect(try await client.post("/v2/batch", [:]).status == 404)
            let requests = try await client.get("/api/server").json["refused"]?["requests"]?.elements ?? []
            #expect(requests.map { $0["kind"] } == Array(repeating: "wrongPath", count: 4))
            #expect(requests.map { $0["key"]?.stringValue } == [nil, "shop…", "shop…", "shop…"])
            #expect(
                requests.map { $0["guess"]?.stringValue } == [
                    "here it is /v1/batch", "here it is /v1/batch; the key is that of source shopkey42",
                    "here it is /v1/projects/{writeKey}/settings; the key is not known here, probably a key of source "
                        + "shopkey42 with two characters exchanged",
                    "here it is /v1/projects/{writeKey}/settings; the key is that of source shopkey42",
                ])
            #expect(requests.allSatisfy { !$0.description.replacing("source shopkey42", with: "").contains("shopkey") })
        }
    }

    @Test("Operators see what was refused, from whom, and what was probably meant")
    func visible() async throws {
        try await TestWorkspace.run(writeKeys: ["shopkey42"]) { workspace async throws in
            let client = workspace.client
            #expect(try await client.post("/api/sources/shopkey42/keys", ["key": "oldkey99"]).status == 201)
            #expect(try await client.send("DELETE", "/api/sources/shopkey42/keys/oldkey99", body: nil).status == 200)
            #expect(try await client.get("/api/server").json["refused"] == ["requests": [], "others": 0])

            #expect(try await client.batch([], writeKey: "shopkey24").status == 401)
            #expect(try await client.batch([], writeKey: "shopkey24").status == 401)
            #expect(try await client.batch([], writeKey: "oldkey99").status == 401)
            #expect(try await client.get("/v1/projects/SHOPKEY42/settings").status == 404)
            let headers = ["User-Agent": "analytics-test/1.2"]
            #expect(try await client.post("/v2/batch", [:], headers: headers).status == 404)
            #expect(try await client.send("POST", "/v1/batch", body: Array("{\n \"batch\": [}".utf8)).status == 400)
            // Other places show these.
            #expect(try await client.get("/api/nothing").status == 404)
            #expect(try await client.get("/wp-login.php").status == 404)

            let refused = try await client.get("/api/server").json["refused"]
            let requests = refused?["requests"]?.elements ?? []
            func one(_ kind: String, _ guess: String?) -> JSON? {
                requests.first { $0["kind"]?.stringValue == kind && $0["guess"]?.stringValue == guess }
            }
            #expect(requests.count == 5, "\(requests)")
            let exchanged = one("unknownKey", "a key of source shopkey42 with two characters exchanged")
            #expect(exchanged?["count"] == 2)
            #expect(exchanged?["key"] == "shop…")
            #expect(exchanged?["address"] == "127.0.0.1")
            #expect(exchanged?["reason"] == "the write key is not known here")
            #expect(
                requests.contains {
                    $0["guess"]?.stringValue?.hasPrefix("a key of source shopkey42, revoked on 2") == true
                })
            let ofSettings = one("unknownKey", "a key of source shopkey42 with other capital letters")
            #expect(ofSettings?["reason"] == "the write key is not known here")
            #expect(ofSettings?["path"] == "/v1/projects/{writeKey}/settings")
            for key in ["SHOPKEY42", "shopkey24", "oldkey99"] {
                #expect(requests.allSatisfy { !$0.description.contains(key) }, "\(requests)")
            }
            let path = one("wrongPath", "here it is /v1/batch")
            #expect(path?["client"] == "analytics-test/1.2")
            #expect(path?["reason"] == "there is no POST /v2/batch")
            let body = one("unreadableBody", nil)
            #expect(body?["reason"]?.stringValue?.hasSuffix("(line 2, column 12)") == true, "\(body ?? .null)")
        }
    }

    @Test("Plain http that comes to the port of https is seen")
    func plainHTTP() async throws {
        let folder = try TemporaryFolder()
        let server = try CommandRun(
            ["serve", "--port", "0", "--data", folder.path, "--write-key", "WK", "--tls-development"])
        let url = try #require(await server.line(after: "tributary: listening on "))
        _ = try? await RawConnection.exchange(
            url, "POST /v1/b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
        var found: [JSON] = []
        // The server notes it when it has read what came.
        while found.isEmpty {
            let connection = try Connection(authority: folder.path + "/development-certificate.pem")
            var request = Connection.request("GET", try Connection.address(url).with(target: "/api/server"))
            request.headers.add(name: "Authorization", value: "Bearer \(TestClient.token)")
            let (data, _) = try await connection.data(for: request)
            found = try JSON.parse([UInt8](data))["refused"]?["requests"]?.elements ?? []
        }
        #expect(found.first?["kind"] == "plainHTTP")
        #expect(found.first?["guess"] == "the address in the client has to begin with https://")
        #expect(found.first?["address"] == "127.0.0.1")
        server.signal(SIGTERM)
        #expect(try await server.finished().status == 0)
    }
}
