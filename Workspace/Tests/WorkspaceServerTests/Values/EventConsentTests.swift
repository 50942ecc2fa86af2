import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("What events say about consent") struct EventConsentTests {
    /// A line of the table that the field publishes: what an event has, which categories destinations need, who gets it.
    struct Line: Sendable, CustomTestStringConvertible {
        let consent: JSON?
        let integrations: JSON?
        let needs: [String: [String]]
        let receivers: Set<String>

        init(_ consent: JSON?, _ integrations: JSON?, _ needs: [String: [String]], _ receivers: Set<String>) {
            (self.consent, self.integrations, self.needs, self.receivers) = (consent, integrations, needs, receivers)
        }

        var testDescription: String {
            "\(consent?.description ?? "nothing") and \(integrations?.description ?? "nothing")"
        }

        /// `plain` needs nothing.
        func reach() throws -> Set<String> {
            var event: JSON = ["type": "track", "event": "E", "messageId": "m", "userId": "u", "context": [:]]
            if let consent { event["context"] = ["consent": consent] }
            event["integrations"] = integrations
            let stored: JSON = ["event": event, "messageId": "m", "userId": "u"]
            var names: Set<String> = []
            for (name, categories) in needs.merging(["plain": []], uniquingKeysWith: { old, _ in old }) {
                let rules = ForwardingRules(destination: name, categories: categories, routingRules: [])
                if case .forward = rules.decide(stored, 1) { names.insert(name) }
            }
            return names
        }
    }

    private static let ads = ["facebook": ["ad"], "google-ads": ["ad"]]
    private static let both = ["facebook": ["ad"], "google-ads": ["ad"], "amplitude": ["analytics"]]
    private static let shared = ["facebook": ["ad", "analytics"], "google-ads": ["ad"], "amplitude": ["analytics"]]
    private static let some: JSON = ["facebook": true, "amplitude": false]
    private static func said(_ ad: Bool, _ analytics: Bool) -> JSON {
        ["categoryPreferences": ["ad": .bool(ad), "analytics": .bool(analytics)]]
    }

    private static let published: [Line] = [
        Line(nil, nil, both, ["facebook", "google-ads", "amplitude", "plain"]),
        Line([:], nil, both, ["facebook", "google-ads", "amplitude", "plain"]),
        Line(["categoryPreferences": [:]], nil, both, ["plain"]),
        Line(["categoryPreference": [:]], nil, both, ["plain"]),
        Line(nil, some, both, ["facebook", "google-ads", "plain"]),
        Line([:], some, both, ["plain"]),
        Line(["categoryPreferences": [:]], some, both, ["plain"]),
        Line(["categoryPreferences": [:]], ["plain": false, "other": true], both, []),
        Line(said(true, false), some, ["facebook": [], "amplitude": []], ["facebook", "plain"]),
        Line(said(true, false), nil, ["facebook": [], "amplitude": []], ["facebook", "amplitude", "plain"]),
        Line(said(true, false), nil, ads, ["facebook", "google-ads", "plain"]),
        Line(said(true, false), nil, both, ["facebook", "google-ads", "plain"]),
        Line(said(true, false), some, both, ["facebook", "google-ads", "plain"]),
        Line(said(true, false), ["facebook": false, "amplitude": false], both, ["google-ads", "plain"]),
        Line(said(true, false), some, shared, ["google-ads", "plain"]),
        Line(said(true, true), some, shared, ["facebook", "google-ads", "plain"]),
        Line(said(false, true), some, shared, ["plain"]),
        // A category of the user's that no destination needs, and one that a destination needs and the user never saw.
        Line(["categoryPreferences": ["advertising": true]], nil, ["ads": ["functional"]], ["plain"]),
        // Any other value than true is no consent, and upper and lower case differ.
        Line(["categoryPreferences": ["ad": "true"]], nil, ads, ["plain"]),
        Line(["categoryPreferences": ["Ad": true]], nil, ads, ["plain"]),
        // What one spelling refuses stays refused.
        Line(["categoryPreferences": ["ad": true], "categoryPreference": ["ad": false]], nil, ads, ["plain"]),
        // An event cannot get around a refusal by naming the destination.
        Line(said(false, false), ["All": true, "facebook": true], both, ["plain"]),
    ]

    @Test("Consent and integrations decide together as the field documents it", arguments: published)
    func table(_ line: Line) throws {
        #expect(try line.reach() == line.receivers)
    }

    @Test("The policy decides about events that say nothing", arguments: ConsentPolicy.Unsaid.allCases)
    func unsaid(_ rule: ConsentPolicy.Unsaid) throws {
        var policy = ConsentPolicy()
        policy.unsaid = rule
        let rules = ForwardingRules(destination: "Ads", categories: ["ad"], consent: policy, routingRules: [])
        let plain: JSON = ["event": ["type": "track", "context": [:]], "messageId": "m"]
        let decision = rules.decide(plain, 1)
        switch rule {
        case .forward: if case .leaveOut = decision { Issue.record("\(decision)") }
        case .hold: #expect(decision == .leaveOut(.held))
        case .drop: #expect(decision == .leaveOut(.unsaid))
        }
        let excluded: JSON = ["event": ["type": "track", "integrations": ["Ads": false]], "messageId": "m"]
        #expect(rules.decide(excluded, 1) == .leaveOut(.notNamed), "what is excluded anyway is not held")
        let free = ForwardingRules(destination: "Free", consent: policy, routingRules: [])
        if case .leaveOut(let reason) = free.decide(plain, 1) { Issue.record("\(reason)") }
    }

    @Test(
        "Global Privacy Control refuses the categories that the policy names, also against the event's own statement",
        arguments: [
            ["globalPrivacyControl": true], ["gpc": "1"], ["consent": ["gpc": 1]],
            ["gpc": true, "consent": ["categoryPreferences": ["advertising": true]]],
        ] as [JSON])
    func privacyControl(_ context: JSON) {
        let consent = EventConsent(of: ["context": context])
        #expect(consent.verdict(on: ["advertising"], ConsentPolicy()) == .refused(["advertising"]))
        #expect(consent.verdict(on: [], ConsentPolicy()) == .allowed)
        var policy = ConsentPolicy()
        policy.gpcRefuses = []
        #expect(consent.verdict(on: ["advertising"], policy) != .refused(["advertising"]))
        #expect(
            EventConsent(of: ["context": ["gpc": false]]).verdict(on: ["advertising"], ConsentPolicy()) == .unsaid)
    }

    /// A string of version 2 with these purposes allowed.
    static func transparency(_ purposes: Set<Int>) -> String {
        var bytes = [UInt8](repeating: 0, count: 29)
        bytes[0] = 2 << 2
        for purpose in purposes { bytes[(151 + purpose) / 8] |= 0x80 >> UInt8((151 + purpose) % 8) }
        return Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    @Test("A string of the Transparency and Consent Framework says which purposes are allowed")
    func transparencyString() {
        // The published example of the framework: consent for purposes 1 to 3, among others not for 4 and 5.
        let example =
            "COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA.IFoEUQQgAIQwgIwQABAEAAAAOIAACAIAAAAQAIAgEAACEAAAAAgAQBAAAAAAAGBAAgAAAAAAAFAAECAAAgAAQARAEQAAAAAJAAIAAgAAAYQEAAAQmAgBC3ZAYzUw"
        #expect(TransparencyString.read(example) == [1, 2, 3])
        #expect(TransparencyString.read(Self.transparency([4, 24])) == [4, 24])
        let event: JSON = ["context": ["consent": ["tcfString": .string(Self.transparency([3]))]]]
        let consent = EventConsent(of: event)
        #expect(consent.verdict(on: ["tcf.3"], ConsentPolicy()) == .allowed)
        #expect(consent.verdict(on: ["tcf.3", "tcf.4"], ConsentPolicy()) == .refused(["tcf.4"]))
    }

    @Test(
        "A string that cannot be read allows nothing",
        arguments: ["", "x", "!!!!", "BOEFEAyOEFEAyAHABDENAI4AAAB9vABAASA", String(repeating: "C", count: 9_000), "C."])
    func badTransparencyString(_ text: String) {
        let event: JSON = ["context": ["consent": ["tcString": .string(text)]]]
        #expect(EventConsent(of: event).verdict(on: ["tcf.1"], ConsentPolicy()) == .refused(["tcf.1"]))
    }

    @Test("Random texts in the place of consent and of strings do no harm") func hostile() {
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0..<60, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            let text = Data(bytes).base64EncodedString()
            _ = TransparencyString.read(text)
            _ = TransparencyString.read(String(decoding: bytes, as: UTF8.self))
        }
        for value in [JSON.null, 1, "x", [], ["categoryPreferences": 7]] {
            #expect(EventConsent(of: ["context": ["consent": value]]).preferences == nil)
            #expect(EventConsent(of: ["context": value]).preferences == nil)
        }
    }
}
