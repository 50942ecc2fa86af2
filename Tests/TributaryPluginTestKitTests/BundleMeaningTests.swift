import Foundation
import Testing
import TributaryPluginTestKit

/// Bundles that devices run and that cannot do what they say, each beside one that looks like it and is right.
@Suite struct BundleMeaningTests {
    private static let known = KnownSource(
        destinations: ["Segment.io", "Amplitude", "Braze"],
        events: ["track": ["Product Viewed": 446, "Order Completed": 20, "Signup": 5], "identify": ["": 12]])

    private static func plugin(_ body: String, _ arguments: String = "LivePluginType.enrichment, null") -> String {
        "class P extends LivePlugin {\n\(body)\n}\nanalytics.add(new P(\(arguments)))"
    }

    private func findings(_ source: String, known: KnownSource? = known) -> [BundleReview.Finding] {
        let review = BundleReview(bytes: Array(source.utf8), name: "p.js", known: known)
        #expect(review.isUsable, "devices run the bundle: \(review.findings)")
        // A busy machine loads every bundle slowly.
        return review.findings.filter { !$0.message.hasPrefix("loading takes") }
    }

    private struct Pair {
        let wrong: String
        let right: String
        let words: String
        var line: Int?
    }

    /// Wrong and right texts that look alike.
    private static let certain = [
        Pair(
            wrong: "class Fix extends LivePlugin { track(e) { return e } }",
            right: "class Fix extends LivePlugin { track(e) { return e } }\nanalytics.add(new Fix('before'))",
            words: "Fix is never added", line: 1),
        Pair(
            wrong: plugin("track(e) { return e }") + "\n\nclass Other extends LivePlugin { track(e) { return null } }",
            right:
                "class Other extends LivePlugin { track(e) { return e } }\nclass P extends Other {}\nanalytics.add(new P('before'))",
            words: "Other is never added", line: 6),
        Pair(
            wrong: "class Fix extends LivePlugin { track(e) { return e } }\nconst fix = new Fix('before', null)",
            right:
                "class Fix extends LivePlugin { track(e) { return e } }\nconst fix = new Fix('before', null)\nanalytics.add(fix)",
            words: "a Fix is made and never added", line: 1),
        Pair(
            wrong:
                "(() => {\nclass Fix extends LivePlugin { track(e) { return e } }\nconst fix = new Fix('before', null)\n})()",
            right:
                "(() => {\nclass Fix extends LivePlugin { track(e) { return e } }\nconst fix = new Fix('before', null)\nanalytics.add(fix) })()",
            words: "a Fix is made and never added"),
        Pair(
            wrong: plugin("proces(event) { return null }"), right: plugin("process(event) { return null }"),
            words: "nothing calls P.proces; did you mean process?", line: 2),
        Pair(
            wrong: plugin("\ntrak(event) { return event }"), right: plugin("track(event) { return event }"),
            words: "did you mean track?", line: 3),
        Pair(
            wrong: plugin("Track(event) { return null }"),
            right: plugin("track(event) { return this.Track(event) }\nTrack(event) { return event }"),
            words: "did you mean track?", line: 2),
        Pair(
            wrong: plugin("identfy(event) { return null }\ntrack(event) { return event }"),
            right: plugin(
                "identity(event) { return 'i' }\ntrack(event) { event.context.i = this.identity(event); return event }"),
            words: "did you mean identify?", line: 2),
        Pair(
            wrong: plugin("screens(event) { return event }"),
            right: plugin("screen(event) { return event }\nget screens() { return 1 }"), words: "did you mean screen?",
            line: 2),
        Pair(
            wrong: plugin("execut(event) { return event }"), right: plugin("execute(event) { return event }"),
            words: "did you mean execute?", line: 2),
        Pair(
            wrong: plugin("updat(settings) { this.s = settings }\ntrack(e) { return e }"),
            right: plugin("update(settings) { this.s = settings }\ntrack(e) { return e }"),
            words: "did you mean update?", line: 2),
        Pair(
            wrong: plugin("rest() {}\ntrack(e) { return e }"), right: plugin("reset() {}\ntrack(e) { return e }"),
            words: "did you mean reset?", line: 2),
        Pair(
            wrong: plugin("onTrack(event) { return null }"),
            right: plugin("track(event) { return this.onTrack(event) }\nonTrack(event) { return event }"),
            words: "nothing calls P.onTrack; the library calls track", line: 2),
        Pair(
            wrong: plugin("track = (event) => event\nproccess = (event) => event"),
            right: plugin("process = (event) => event"), words: "did you mean process?"),
        Pair(
            wrong: "function processSignals(signal) { analytics.track('Tapped') }",
            right: "function processSignal(signal) { analytics.track('Tapped') }",
            words: "nothing calls processSignals", line: 1),
        Pair(
            wrong: "const ProcessSignal = (signal) => { analytics.track('Tapped') }",
            right: "const processSignal = (signal) => { analytics.track('Tapped') }",
            words: "nothing calls ProcessSignal", line: 1),
        Pair(
            wrong: "function onSignal(signal) { analytics.track('Tapped') }",
            right:
                "function processSignal(signal) { onSignal(signal) }\nfunction onSignal(signal) { analytics.track('Tapped') }",
            words: "the function that gets signals is processSignal", line: 1),
        Pair(
            wrong:
                "function processSignal(signal) {\nif (signal.type === SignalType.Interactions) analytics.track('T') }",
            right:
                "function processSignal(signal) {\nif (signal.type === SignalType.Interaction) analytics.track('T') }",
            words: "SignalType has no Interactions; did you mean Interaction?", line: 2),
        Pair(
            wrong:
                "function processSignal(signal) { if (signal.data.action === NavigationAction.Enter) analytics.track('T') }",
            right:
                "function processSignal(signal) { const NavigationAction = { Enter: 1 }; if (signal.type == SignalType.Navigation && signal.data.action === NavigationAction.Entering) analytics.track('T') }",
            words: "NavigationAction has no Enter", line: 1),
        Pair(
            wrong: "function processSignal(signal) { if (signal.type === 'interation') analytics.track('T') }",
            right:
                "function processSignal(signal) { if (signal.type === 'interaction') analytics.track('interation') }",
            words: "signals of the type \"interation\", which no signal has; did you mean \"interaction\"?", line: 1),
        Pair(
            wrong: plugin("process(event) { return event.type === 'Track' ? null : event }"),
            right: plugin("process(event) { return event.type === 'track' ? event : null }"),
            words: "events of the type \"Track\", which no event has; did you mean \"track\"?", line: 2),
        Pair(
            wrong: plugin(
                "process(event) { switch (event.type) { case 'Order Completed': return null } return event }"),
            right: plugin(
                "process(event) { switch (event.event) { case 'Order Completed': return null } return event }"),
            words: "events of the type \"Order Completed\", which no event has", line: 2),
        Pair(
            wrong: plugin("track(event) { delete event['properties.card']; return event }"),
            right: plugin("track(event) { delete event.properties.card; return event }"),
            words: "uses the member \"properties.card\"", line: 2),
        Pair(
            wrong: plugin("track(event) {\ndelete event.properties['properties.card']; return event }"),
            right: plugin("track(event) {\ndelete event.properties['card.number']; return event }"),
            words: "write event.properties.card", line: 3),
        Pair(
            wrong: plugin(
                "track(event) { if (event.event === 'Order Completed') event.properties['properties.a'] = 1; return event }"
            ),
            right: plugin(
                "track(event) { if (event.event === 'Order Completed') event.properties.a = 1; return event }"),
            words: "uses the member \"properties.a\"", line: 2),
        Pair(
            wrong: plugin("identify(event) { if (event['traits.email']) return null; return event }"),
            right: plugin("identify(event) { if (event.traits.email) return null; return event }"),
            words: "write event.traits.email", line: 2),
        Pair(
            wrong: plugin("track(event) { if (event.userID) return null; return event }"),
            right: plugin("track(event) { if (event.userId) return event; return event }"),
            words: "no event has a member \"userID\"; did you mean \"userId\"?"),
        Pair(
            wrong: plugin("track(event) { event.propertes.a = 1; return event }"),
            right: plugin("track(event) { event.extra = 1; return event.extra ? event : null }"),
            words: "did you mean \"properties\"?"),
    ]

    @Test(
        "A part of a bundle that cannot do what it says is an error, and one that looks like it is none",
        arguments: certain.indices)
    func certainMistakes(index: Int) {
        let pair = Self.certain[index]
        let wrong = findings(pair.wrong)
        let found = wrong.first { $0.severity == .error && $0.message.contains(pair.words) }
        #expect(found != nil, "\(wrong)")
        if let line = pair.line { #expect(found?.line == line) }
        let right = findings(pair.right)
        #expect(right.filter { $0.severity == .error } == [])
    }

    @Test(
        "What is probably a mistake is a warning with the stored events that it concerns, and what looks like it is none",
        arguments: [
            (
                plugin("track(e) { return null }", "'enrichment', 'Amplitud'"),
                plugin("track(e) { return null }", "'enrichment', 'Amplitude'"),
                "destination \"Amplitud\", which neither the settings nor stored events know; did you mean \"Amplitude\"?"
            ),
            (
                plugin("track(e) { return null }", "'enrichment', 'Mixpanel'"),
                plugin("track(e) { return null }", "'enrichment', 'Segment.io'"), "destination \"Mixpanel\""
            ),
            (
                plugin("track(e) { if (e.event === 'Product Viewd') e.properties.id = e.properties.did; return e }"),
                plugin("track(e) { if (e.event === 'Product Viewed') e.properties.id = e.properties.did; return e }"),
                "track events named \"Product Viewd\", and none of the 471 stored ones is; did you mean \"Product Viewed\" (446 events)?"
            ),
            (
                plugin("track(e) { if (['Order Complete'].includes(e.event)) return null; return e }"),
                plugin("track(e) { if (['Order Completed'].includes(e.event)) return null; return e }"),
                "did you mean \"Order Completed\" (20 events)?"
            ),
            (
                plugin("process(e) { switch (e.event) { case 'track': analytics.flush(); return null } return e }"),
                plugin("process(e) { switch (e.type) { case 'track': analytics.flush(); return null } return e }"),
                "track events named \"track\""
            ),
            (
                plugin("track(e) { if (e.event.startsWith('Checkout')) return null; return e }"),
                plugin("track(e) { if (e.event.startsWith('Order')) return null; return e }"),
                "track events with \"Checkout\""
            ),
            (
                plugin("track(e) { if (e.event.toLowerCase() === 'sign up') return null; return e }"),
                plugin("track(e) { if (e.event.toLowerCase() === 'signup') return null; return e }"),
                "named \"sign up\""
            ),
            (
                plugin("screen(e) { return null }"), plugin("identify(e) { return null }"),
                "P gets screen events only, and none of the 483 stored events is one"
            ),
            (
                plugin("group(e) { return null }\nalias(e) { return null }"),
                plugin("group(e) { return e }\ntrack(e) { return e }"), "P gets group and alias events only"
            ),
            (
                "let signals = new Signals()\nfunction processSignal(s) { if (signals.find(s, s.type)) analytics.track('Order Completed') }",
                "function processSignal(s) { if (signals.find(s, s.type)) analytics.track('Order Completed') }",
                "leave the declaration out"
            ),
            (
                "class A extends LivePlugin { track(e) { return e } }\nif (storage.getValue('on')) analytics.add(new A('before'))\n"
                    + plugin("track(e) { return e }"),
                "class A extends LivePlugin { track(e) { return e } }\nfor (const a of [new A('before')]) analytics.add(a)",
                "no A was added when the bundle was loaded"
            ),
        ])
    func probableMistakes(wrong: String, right: String, words: String) {
        let found = findings(wrong)
        #expect(found.contains { $0.severity == .warning && $0.message.contains(words) }, "\(found)")
        #expect(!found.contains { $0.severity == .error }, "\(found)")
        #expect(findings(right) == [])
    }

    @Test("Without stored events, and without a workspace, no destination and no name is doubted")
    func nothingKnown() {
        let source = Self.plugin("track(e) { return e.event === 'Nothing' ? null : e }", "'before', 'Nowhere'")
        #expect(findings(source, known: nil) == [])
        let empty = KnownSource(destinations: ["Nowhere"], events: [:])
        #expect(findings(source, known: empty) == [])
    }

    @Test("A plugin that keeps state does not make a review doubt its names")
    func state() {
        let source = Self.plugin(
            "track(e) { this.n = (this.n ?? 0) + 1; if (this.n % 2) e.properties.odd = true; storage.setValue('Some Key', this.n); return e }"
        )
        #expect(findings(source) == [])
    }

    @Test("A plugin that never ends is reviewed within its budget")
    func endless() {
        let source = Self.plugin("track(e) { if (e.event === 'Nothing') for (;;) {} return e }")
        #expect(findings(source).allSatisfy { $0.severity == .warning })
    }
}

/// The bundles of the guides and of the examples, which are right.
@Suite struct DocumentedBundleTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The blocks of a guide that begin with a kind such as "js plugin".
    private func blocks(_ kind: String, in guide: String) throws -> [String] {
        let text = try String(
            contentsOf: Self.repository.appendingPathComponent("docs/guides/\(guide)"), encoding: .utf8)
        return text.components(separatedBy: "```\(kind)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test(
        "No example of the guides is refused",
        arguments: [("js plugin", "live-plugins.md", 5), ("js generator", "signals.md", 1)])
    func guides(kind: String, guide: String, fewest: Int) throws {
        let blocks = try blocks(kind, in: guide)
        #expect(blocks.count >= fewest)
        for block in blocks {
            let review = BundleReview(bytes: Array(block.utf8), name: guide)
            #expect(review.findings.filter { $0.severity == .error } == [], "\(block)")
        }
    }

    @Test(
        "No bundle of the examples is refused",
        arguments: [
            "Storefront/Demo/plugin-v1.js", "Storefront/Demo/plugin-v2.js", "Storefront/Demo/plugin-good.js",
            "Storefront/Demo/plugin-broken.js", "SwiftUIApp/fallback.js",
        ])
    func examples(file: String) throws {
        let data = try Data(contentsOf: Self.repository.appendingPathComponent("Examples/\(file)"))
        let review = BundleReview(bytes: [UInt8](data), name: file)
        #expect(review.findings.filter { $0.severity == .error } == [])
    }
}
