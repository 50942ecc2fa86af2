import Crypto
import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Real certificates, of an authority that each test makes.
@Suite("What the App Store signs") struct AppStoreSignatureTests {
    private static let now: Int64 = 1_795_168_800_000
    private static let notification: JSON = [
        "notificationType": "SUBSCRIBED", "signedDate": .number(now),
        "data": ["transactionInfo": ["price": 4_990], "renewalInfo": ["autoRenewStatus": 1]],
    ]

    private func reason(_ body: [UInt8], root: String, now: Int64 = now) async -> String? {
        do throws(Refusal) {
            _ = try await AppStoreSignature(fingerprint: root).notification(body, now: now)
            return nil
        } catch {
            return error.message
        }
    }

    private func body(_ text: String) -> [UInt8] { JSON.object(["signedPayload": .string(text)]).encoded() }

    @Test("A notification with a good chain is its content, with transaction and renewal")
    func good() async throws {
        let store = try AppStoreStandIn()
        for fingerprint in [store.fingerprint, store.fingerprint.uppercased(), Self.colons(store.fingerprint)] {
            let content = try await AppStoreSignature(fingerprint: fingerprint)
                .notification(try store.body(Self.notification, now: Self.now), now: Self.now)
            #expect(content["notificationType"] == "SUBSCRIBED")
            #expect(content["data"]?["transactionInfo"]?["price"] == 4_990)
            #expect(content["data"]?["renewalInfo"]?["autoRenewStatus"] == 1)
            #expect(content["data"]?["signedTransactionInfo"] == nil)
        }
    }

    private static func colons(_ digits: String) -> String {
        stride(from: 0, to: digits.count, by: 2).map { String(digits.dropFirst($0).prefix(2)) }.joined(separator: ":")
    }

    @Test("A chain with another root, without Apple's marks, or that was not valid then, is refused")
    func chains() async throws {
        let store = try AppStoreStandIn()
        let body = try store.body(Self.notification, now: Self.now)
        #expect(await reason(body, root: "")?.contains("do not end with the root") == true)
        let other = try AppStoreStandIn()
        #expect(await reason(body, root: other.fingerprint)?.contains("do not end with the root") == true)
        #expect(await reason(body, root: "abc")?.contains("no SHA-256") == true)
        let day: TimeInterval = 86_400
        let signed = Date(timeIntervalSince1970: TimeInterval(Self.now) / 1_000)
        let chains = [
            AppStoreStandIn.Chain(storeMark: nil), AppStoreStandIn.Chain(authorityMark: nil),
            AppStoreStandIn.Chain(storeMark: AppStoreSignature.authorityMark),
            AppStoreStandIn.Chain(validity: signed - 9 * day..<signed - day),
            AppStoreStandIn.Chain(validity: signed + day..<signed + 9 * day),
        ]
        for (number, chain) in chains.enumerated() {
            let store = try AppStoreStandIn(chain)
            let body = try store.body(Self.notification, now: Self.now)
            #expect(await reason(body, root: store.fingerprint)?.contains("no chain") == true, "chain \(number)")
        }
        // Certificates that ended since then do no harm: what counts is when the text was signed.
        let ended = try AppStoreStandIn(AppStoreStandIn.Chain(validity: signed - day..<signed + day))
        let late = try ended.body(Self.notification, now: Self.now)
        #expect(await reason(late, root: ended.fingerprint, now: Self.now + 90 * 86_400_000) == nil)
        #expect(await reason(late, root: ended.fingerprint, now: Self.now - 301_000)?.contains("time to come") == true)
    }

    @Test("A certificate of another chain, in another order, or one too many, is refused")
    func swapped() async throws {
        let (store, other) = (try AppStoreStandIn(), try AppStoreStandIn())
        func list(_ certificates: [[UInt8]]) -> JSON {
            .array(certificates.map { .string(Data($0).base64EncodedString()) })
        }
        let own = store.certificates
        let lists = [
            [other.certificates[0], own[1], own[2]], [own[0], other.certificates[1], own[2]],
            [own[1], own[0], own[2]], [own[2], own[2], own[2]], [own[0], own[1], own[2], own[2]], [own[0], own[2]], [],
            [own[0], own[1], Array(own[2].dropLast())], [own[0], [1, 2, 3], own[2]],
            [own[0] + [UInt8](repeating: 0, count: 9_000), own[1], own[2]],
        ]
        for (number, certificates) in lists.enumerated() {
            let text = try store.text(Self.notification, now: Self.now, head: ["x5c": list(certificates)])
            #expect(await reason(body(text), root: store.fingerprint) != nil, "list \(number)")
        }
        // The other chain is right in itself, and of another root.
        let text = try other.text(Self.notification, now: Self.now)
        #expect(await reason(body(text), root: store.fingerprint)?.contains("do not end with the root") == true)
    }

    @Test("Another algorithm, changed bytes and a signature of another form are refused")
    func signatures() async throws {
        let store = try AppStoreStandIn()
        let heads: [JSONObject] = [
            ["alg": "none"], ["alg": "HS256"], ["alg": "es256"], ["alg": .null], ["crit": ["exp"]], ["x5c": "text"],
            ["x5c": [1, 2, 3]],
        ]
        for head in heads {
            let text = try store.text(Self.notification, now: Self.now, head: head)
            #expect(await reason(body(text), root: store.fingerprint) != nil, "\(head)")
        }
        let parts = try store.text(Self.notification, now: Self.now).split(separator: ".").map(String.init)
        let forged = AppStoreStandIn.base64URL(
            JSON.object(["notificationType": "REFUND", "signedDate": .number(Self.now)]).encoded())
        for text in [
            "\(parts[0]).\(forged).\(parts[2])", "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])",
            "\(parts[0]).\(parts[1]).\(parts[2]).\(parts[2])", "\(parts[0]).\(parts[1]).AAAA",
            "\(parts[0]).\(parts[1]).\(String(repeating: "A", count: 86))", "..", "", "e30.e30.e30",
            "\(parts[0]).\(parts[1]).\(parts[2])=", " \(parts[0]).\(parts[1]).\(parts[2])",
            String(repeating: "A", count: 300_000) + ".e30.AA",
        ] {
            #expect(await reason(body(text), root: store.fingerprint) != nil, "\(text.prefix(40))")
        }
        for text in ["", "{}", "[]", "null", #"{"signedPayload":1}"#, "\u{0}", String(repeating: "[", count: 100_000)] {
            #expect(await reason(Array(text.utf8), root: store.fingerprint)?.contains("no signedPayload") == true)
        }
    }

    @Test("A notification is refused when its transaction has no signature, or one of another chain")
    func nested() async throws {
        let (store, other) = (try AppStoreStandIn(), try AppStoreStandIn())
        let foreign = try other.text(["price": 1], now: Self.now)
        for value: JSON in [.string(foreign), "garbage", 7, ["price": 1]] {
            let text = try store.text(["data": ["signedTransactionInfo": value]], now: Self.now)
            #expect(await reason(body(text), root: store.fingerprint) != nil, "\(value)")
        }
        // A content under the plain name was not signed by itself.
        let text = try store.text(["data": ["transactionInfo": ["price": 1]]], now: Self.now)
        let content = try await AppStoreSignature(fingerprint: store.fingerprint).notification(
            body(text), now: Self.now)
        #expect(content["data"]?["transactionInfo"] == nil)
        let undated = try store.text(["signedDate": "today"], now: Self.now)
        #expect(await reason(body(undated), root: store.fingerprint)?.contains("no signedDate") == true)
    }

    @Test("A class names a setting of its own for another root, and nothing else")
    func declarations() throws {
        let plain = try SourceVerification(["scheme": "app-store"], secrets: [])
        #expect(plain == .appStore(root: nil))
        let named = try SourceVerification(["scheme": "app-store", "root": "root"], secrets: [], settings: ["root"])
        #expect(named == .appStore(root: "root"))
        for wrong: JSON in [
            ["scheme": "app-store", "root": "other"], ["scheme": "app-store", "root": 1],
            ["scheme": "app-store", "secret": "key"],
        ] {
            #expect(throws: Refusal.self) {
                try SourceVerification(wrong, secrets: [("key", true)], settings: ["root"])
            }
        }
    }

    @Test("A notification for Apple's root is checked against Apple's root")
    func appleRoot() throws {
        #expect(AppStoreSignature.appleRoot.count == 64)
        #expect(throws: Never.self) { try AppStoreSignature(fingerprint: "") }
    }
}
