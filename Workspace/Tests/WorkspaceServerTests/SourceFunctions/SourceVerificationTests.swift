import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Checks of requests to source functions") struct SourceVerificationTests {
    private static let secrets = FunctionSecrets(values: ["key": "Grüße", "other": "x"])
    private static let now: Int64 = 1_795_168_800_000
    private static let body = Array("{\"ä\": 1}\r\n".utf8)

    private func verification(_ json: JSON) throws(Refusal) -> SourceVerification {
        try SourceVerification(json, secrets: [("key", true), ("optional", false)])
    }

    private func accepts(
        _ verification: SourceVerification, _ headers: [String: String], body: [UInt8] = body, now: Int64 = now
    ) async -> Bool {
        (try? await verification.checked(HookRequest(headers: headers, query: [:], body: body), Self.secrets, now: now))
            != nil
    }

    // The digests are of another program: printf '{"ä": 1}\r\n' | openssl dgst -sha256 -hmac Grüße
    private static let hex = "ab630f3c4963e06a9ec2b7892238dccc164dc2c2c180c7df329163319a2ba7ce"
    private static let base64 = "q2MPPElj4GqewreJIjjczBZNwsLBgMffMpFjMZorp84="
    private static let timed = "7704eb6efceddc6cf17154986320fda6834eb80ddb92920657edadaa4478562d"

    @Test("The HMAC of the bytes of the body is checked, in hexadecimal digits or base 64, behind a prefix")
    func signatures() async throws {
        let plain = try verification(["scheme": "hmac-sha256", "header": "X-Sig", "secret": "key"])
        #expect(await accepts(plain, ["x-sig": Self.hex]))
        #expect(await accepts(plain, ["X-SIG": Self.hex.uppercased()]))
        #expect(await !accepts(plain, ["x-sig": Self.hex], body: Self.body + [10]))
        #expect(await !accepts(plain, ["x-sig": String(Self.hex.dropLast(2))]))
        #expect(await !accepts(plain, ["x-sig": "+" + Self.hex.dropFirst()]))
        #expect(await !accepts(plain, ["x-sig": ""]))
        #expect(await !accepts(plain, [:]))
        let prefixed = try verification([
            "scheme": "hmac-sha256", "header": "X-Sig", "secret": "key", "prefix": "sha256=", "encoding": "base64",
        ])
        #expect(await accepts(prefixed, ["X-Sig": "sha256=" + Self.base64]))
        #expect(await !accepts(prefixed, ["X-Sig": Self.base64]))
        #expect(await !accepts(prefixed, ["X-Sig": "sha256=" + Self.hex]))
    }

    @Test("A signature with a time fits only near that time, whatever else the header has")
    func times() async throws {
        let verification = try verification(["scheme": "stripe", "secret": "key"])
        let good = "t=1795168800,v1=\(Self.timed)"
        #expect(await accepts(verification, ["Stripe-Signature": good]))
        #expect(await accepts(verification, ["Stripe-Signature": "t=1795168800, v0=1, v1=00, v1=\(Self.timed)"]))
        #expect(await accepts(verification, ["Stripe-Signature": good], now: Self.now + 300_999))
        #expect(await !accepts(verification, ["Stripe-Signature": good], now: Self.now + 301_000))
        #expect(await !accepts(verification, ["Stripe-Signature": good], now: Self.now - 301_000))
        for wrong in [
            "t=1795168801,v1=\(Self.timed)", "v1=\(Self.timed)", "t=,v1=\(Self.timed)", "t=1795168800", "",
            "t=1795168801,\(good)", "t=99999999999999999999,v1=\(Self.timed)", "t=-9223372036854775808,v1=00", "=,=,=",
            "t=1795168800,v0=\(Self.timed)", String(repeating: "v1=00,", count: 10) + good,
        ] {
            #expect(await !accepts(verification, ["Stripe-Signature": wrong]), "\(wrong)")
        }
        let short = try self.verification(["scheme": "stripe", "secret": "key", "tolerance": 10, "header": "S"])
        #expect(await accepts(short, ["s": good], now: Self.now + 10_000))
        #expect(await !accepts(short, ["s": good], now: Self.now + 11_000))
    }

    @Test("A header has to be the secret, all of it")
    func headers() async throws {
        let plain = try verification(["scheme": "header", "secret": "key"])
        #expect(await accepts(plain, ["Authorization": "Grüße"]))
        for wrong in ["", "Grüß", "Grüßen", "grüße", "Gru\u{308}ße"] {
            #expect(await !accepts(plain, ["Authorization": wrong]))
        }
        let bearer = try verification(["scheme": "header", "secret": "key", "header": "X-Key", "prefix": "Bearer "])
        #expect(await accepts(bearer, ["x-key": "Bearer Grüße"]))
        #expect(await !accepts(bearer, ["x-key": "Grüße"]))
        #expect(try await accepts(verification(["scheme": "none"]), [:]))
    }

    @Test("A refusal says neither secret nor signature, and a missing secret is no fault of the sender")
    func texts() async throws {
        let verification = try verification(["scheme": "stripe", "secret": "key"])
        let request = HookRequest(headers: ["Stripe-Signature": "t=1,v1=abcd"], query: [:], body: Self.body)
        let wrong = await #expect(throws: Refusal.self) {
            try await verification.checked(request, Self.secrets, now: Self.now)
        }
        #expect(wrong?.reason == .unauthorized)
        #expect(wrong?.message.contains("Grüße") == false && wrong?.message.contains("abcd") == false)
        let missing = await #expect(throws: Refusal.self) {
            try await verification.checked(request, FunctionSecrets(), now: Self.now)
        }
        #expect(missing?.reason == .unavailable)
    }

    @Test(
        "A class that says something else is refused",
        arguments: [
            "{}", "[]", #"{"scheme":"md5"}"#, #"{"scheme":"header"}"#, #"{"scheme":"header","secret":"none"}"#,
            #"{"scheme":"header","secret":"optional"}"#, #"{"scheme":"hmac-sha256","secret":"key"}"#,
            #"{"scheme":"hmac-sha256","secret":"key","header":"X","encoding":"base32"}"#,
            #"{"scheme":"stripe","secret":"key","tolerance":0}"#,
            #"{"scheme":"stripe","secret":"key","tolerance":1e9}"#,
            #"{"scheme":"stripe","secret":"key","prefix":"x"}"#, #"{"scheme":"none","secret":"key"}"#,
            #"{"scheme":"header","secret":"key","header":""}"#,
        ]) func wrong(_ text: String) throws
    {
        let json = try JSON.parse(Array(text.utf8))
        #expect(throws: Refusal.self) { try verification(json) }
    }

    @Test("A request is bounded in a second and at a time")
    func gate() {
        var gate = HookGate()
        let came = (0..<Limits.hookRequestsInSecond + 5).map { _ in gate.comes(at: 1_500) }
        #expect(came.filter { $0 }.count == Limits.hookRequestsInSecond)
        let later = gate.comes(at: 2_000)
        #expect(later)
        let entered = (0...Limits.hookPlaces).map { _ in gate.enter() }
        #expect(entered.filter { $0 }.count == Limits.hookPlaces && entered.last == false)
        gate.leave()
        let again = gate.enter()
        #expect(again)
    }

    @Test("A script sees no header with a secret, and a body that is not UTF-8 is none for it")
    func shown() {
        let request = HookRequest(
            headers: ["X-Sig": "s", "Cookie": "c", "Authorization": "a", "Accept": "b"], query: ["a": "1"],
            body: Self.body)
        let json = request.json(hiding: "x-sig")
        #expect(json?["headers"] == ["accept": "b"])
        #expect(json?["query"] == ["a": "1"])
        #expect(json?["body"] == "{\"ä\": 1}\r\n")
        #expect(HookRequest(headers: [:], query: [:], body: [0xff]).json(hiding: nil) == nil)
    }
}
