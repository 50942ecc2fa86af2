import AsyncHTTPClient
import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Values of destination functions") struct FunctionValueTests {
    private static let nonce = "0123456789abcdef0123456789abcdef"
    private static let placeholders = FunctionPlaceholders(nonce: nonce)
    private static let secrets = FunctionSecrets(values: ["token": "a\"b/c", "other": "x"])

    private static func secret(_ name: String) -> String { "\(nonce).s.\(name)." }

    private static func base64(_ text: String) -> String {
        "\(nonce).b.\(text.utf8.map { String(format: "%02x", $0) }.joined())."
    }

    @Test("A secret is written as its place needs it")
    func filled() {
        let text = "<\(Self.secret("token"))|\(Self.secret("other"))>"
        #expect(Self.placeholders.filled(text, .plain, Self.secrets) == "<a\"b/c|x>")
        #expect(Self.placeholders.filled(text, .percent, Self.secrets) == "<a%22b%2Fc|x>")
        #expect(
            Self.placeholders.filled(text, .json, Self.secrets).map { "\"\($0)\"" }.flatMap { try? JSON.parse($0) }
                == "<a\"b/c|x>")
        let basic = Self.base64("u:\(Self.secret("token"))")
        #expect(Self.placeholders.filled(basic, .plain, Self.secrets) == Data("u:a\"b/c".utf8).base64EncodedString())
        #expect(Self.placeholders.filled(Self.secret("none"), .plain, Self.secrets) == nil)
        #expect(
            Self.placeholders.shown(text + basic) == "<{{secret:token}}|{{secret:other}}>{{base64:u:{{secret:token}}}}")
        #expect(Self.placeholders.names(in: text + basic) == ["token", "other", "token"])
    }

    @Test(
        "What is no placeholder stays as it is",
        arguments: [
            "", "{{secret:token}}", nonce, "\(nonce).", "\(nonce).s.", "\(nonce).s.token", "\(nonce).x.token.",
            "\(nonce).b.6.", "\(nonce).b.zz.", "fedcba9876543210fedcba9876543210.s.token.",
        ])
    func strange(_ text: String) {
        #expect(Self.placeholders.filled(text, .plain, Self.secrets) == text)
        #expect(Self.placeholders.shown(text) == text)
    }

    @Test("Every process has placeholders of its own")
    func nonces() {
        #expect(Set((0..<100).map { _ in FunctionPlaceholders().nonce }).count == 100)
        #expect(FunctionPlaceholders().nonce.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    }

    @Test("Secrets are hidden in a text, however it has them")
    func hidden() {
        #expect(
            Self.secrets.hidden(in: #"a"b/c, a%22b%2Fc, a\"b/c"#)
                == "{{secret:token}}, {{secret:token}}, {{secret:token}}")
        let parts = FunctionSecrets(values: ["short": "abc", "long": "abcdef"])
        #expect(parts.hidden(in: "abcdef abc") == "{{secret:long}} {{secret:short}}")
    }

    @Test(
        "Only the hosts that are declared are reached",
        arguments: [
            ("https://api.example.com/a?b", true), ("https://api.example.com:443/", true),
            ("https://API.example.com", true),
            ("https://api.example.com:8443/", false), ("http://api.example.com/", false),
            ("https://api.example.com.evil.example/", false), ("https://example.com/", false),
            ("https://eu.example.net/x", true), ("https://us.example.net/x", false), ("http://127.0.0.1:9000/y", true),
            ("http://127.0.0.1:9001/y", false), ("https://127.0.0.1:9000/y", false),
            ("https://ported.example.com:8443/", true),
            ("https://ported.example.com/", false),
        ])
    func hosts(_ url: String, _ isAllowed: Bool) throws {
        let hosts = try FunctionHosts(
            ["api.example.com", "{region}.example.net", "{endpoint}", "ported.example.com:8443"],
            values: ["region": "eu", "endpoint": "http://127.0.0.1:9000/base"])
        #expect(hosts.allow(try ServiceAddress(url)) == isAllowed)
    }

    @Test(
        "A host that a setting would change is refused",
        arguments: [
            ("{region}.example.com", "evil.example/"), ("{region}.example.com", "evil.example#"),
            ("{region}.example.com", ""),
            ("{region}.example.com", "a@b"), ("{region}", "no address"), ("{region}", "ftp://example.com"),
            ("{other}", "x"),
            ("a b", ""), ("https://example.com", ""), ("*.example.com", ""), ("", ""),
        ])
    func noHosts(_ pattern: String, _ value: String) {
        #expect(throws: Refusal.self) { try FunctionHosts([pattern], values: ["region": .string(value)]) }
    }

    private static func request(
        _ url: String = "https://api.example.com/", headers: JSON = [], kind: String = "none", body: String = "",
        method: String = "POST"
    ) -> JSON {
        [
            "method": .string(method), "url": .string(url), "headers": headers, "kind": .string(kind),
            "body": .string(body),
        ]
    }

    @Test(
        "A request of a process that does not follow the rules is refused",
        arguments: [
            [:], [], .null, request(method: "TRACE"), request(method: "GET").with("kind", "json"),
            request("https://api.example.com/" + String(repeating: "a", count: 3_000)),
            request(headers: [["A", "b\r\nC: d"]]),
            request(headers: [["A: b", "c"]]), request(headers: [["Host", "evil"]]),
            request(headers: [["transfer-encoding", "chunked"]]),
            request(headers: [["A"]]), request(headers: [["", "b"]]), request(headers: [["A", "ü"]]),
            request(headers: .array(Array(repeating: ["A", "b"], count: 51))), request(kind: "xml"),
            request(kind: "text", body: String(repeating: "ü", count: 600_000)),
        ] as [JSON])
    func wrongRequests(_ json: JSON) {
        #expect(throws: Refusal.self) { try FunctionRequest(json) }
    }

    @Test("A secret that does not fit its place is refused, without its value")
    func misfits() throws {
        let hosts = try FunctionHosts(["api.example.com"], values: [:])
        let secrets = FunctionSecrets(values: ["line": "top\r\nX: y", "long": String(repeating: "a", count: 8_200)])
        func refusal(_ json: JSON) throws -> String {
            let request = try FunctionRequest(json)
            do throws(Refusal) {
                _ = try request.filled(Self.placeholders, secrets, to: hosts)
                return ""
            } catch {
                return error.message
            }
        }
        for name in ["line", "long"] {
            let text = try refusal(Self.request(headers: [["A", .string(Self.secret(name))]]))
            #expect(text.contains("the header A"))
            #expect(!text.contains("top"))
        }
        #expect(
            try refusal(Self.request(headers: [["A", .string(Self.secret("none"))]])) == "the secret none has no value")
        #expect(try refusal(Self.request("https://api.example.com/?" + Self.secret("line"))) == "")
        let host = try FunctionRequest(Self.request("https://\(Self.secret("line")).evil.example/"))
        #expect(throws: Refusal.self) { try host.check(hosts, Self.placeholders) }
    }

    @Test("Settings keep the code, and that of a template is copied")
    func settings() throws {
        let settings = try FunctionSettings(["code": "x", "settings": ["a": 1]])
        #expect(settings.json == ["code": "x", "settings": ["a": 1], "timeoutSeconds": 15, "parallelRequests": 8])
        #expect(try FunctionSettings(settings.json) == settings)
        let template = try FunctionSettings(["template": "segment-compatible"])
        #expect(template.code == FunctionFiles.code(ofTemplate: "segment-compatible"))
        #expect(template.json["template"] == nil)
        for wrong: JSONObject in [
            [:], ["code": ""], ["code": 1], ["code": "x", "headers": [:]], ["code": "x", "settings": []],
        ] {
            #expect(throws: Refusal.self) { try FunctionSettings(wrong) }
        }
    }

    @Test("The judgement of each answer says what becomes of each event")
    func judgements() {
        var judged = JudgedEvents(count: 3)
        #expect(judged.answers == Array(repeating: .accepted("the function sent nothing"), count: 3))
        #expect(judged.accepted("status 200", nil) == nil)
        #expect(judged.answers == Array(repeating: .accepted("status 200"), count: 3))
        // A place that no event has is none, and the first reason stays.
        #expect(judged.accepted("status 201", .refused("bad name", events: [1, 3, -1])) == nil)
        #expect(judged.accepted("status 202", .refused("again", events: [1])) == nil)
        let text = "3 requests, the last: status 202"
        #expect(judged.answers == [.accepted(text), .refused("bad name"), .accepted(text)])
        #expect(judged.accepted("status 200", .taken(text: "2 of 3")) == nil)
        #expect(judged.answers.first == .accepted("4 requests, the last: 2 of 3"))
        #expect(judged.accepted("status 200", .later("busy")) == .unavailable("busy"))
        #expect(judged.accepted("status 200", .failed("no process")) == .failed("no process"))
        #expect(judged.accepted("status 200", .fault("line 3")) == nil)
        #expect(judged.answers == [.refused("line 3"), .refused("bad name"), .refused("line 3")])
    }

    @Test(
        "An answer of a process that is no judgement is a fault",
        arguments: ["{}", #"{"refused": 1, "events": []}"#, #"{"fault": {"message": "m", "line": 2}}"#, "[]"])
    func strangeJudgements(_ text: String) throws {
        let judgement = FunctionJudgement(try JSON.parse(text))
        guard case .fault = judgement else {
            Issue.record("it is a judgement: \(judgement)")
            return
        }
    }

    @Test("The description of a secret says what changes, and what a class no longer declares is forgotten")
    func secretChanges() throws {
        let declaration = try FunctionDeclaration([
            "class": "A", "settings": [:], "hosts": ["a.example"], "types": ["track"], "batchEvents": .null,
            "secrets": ["token": ["required": true], "other": ["required": false]],
        ])
        let stored = FunctionSecrets(values: ["token": "1", "old": "2"])
        let changed = try stored.changed(["other": "3"], for: declaration.secrets)
        #expect(changed.values == ["token": "1", "other": "3"])
        #expect(FunctionSecrets(stored: changed.stored) == changed)
        try changed.checkComplete(for: declaration)
        let without = try changed.changed(["token": nil as String?], for: declaration.secrets)
        #expect(without.names == ["other"])
        #expect(throws: Refusal.self) { try without.checkComplete(for: declaration) }
        #expect(throws: Refusal.self) { try stored.changed(["strange": "x"], for: declaration.secrets) }
    }
}

extension JSON {
    /// The object with another value of a member.
    fileprivate func with(_ name: String, _ value: JSON) -> JSON {
        var json = self
        json[name] = value
        return json
    }
}
