import Testing
import TributaryJSON
import TributaryTesting

@Suite("The review of two versions over golden sessions")
struct GoldenReviewTests {
    private static func event(_ name: String, _ properties: JSON = [:]) -> JSON {
        ["type": "track", "event": .string(name), "properties": properties]
    }

    private static func pair(_ before: JSON?, _ after: JSON?, again: JSON?? = nil) -> GoldenComparison {
        GoldenComparison(
            before: GoldenOutcome(after: before), after: GoldenOutcome(after: after),
            again: again.map { GoldenOutcome(after: $0) })
    }

    private static let paid = GoldenEventName(type: "track", name: "Paid")

    @Test("Events are the same, changed, dropped or made, each under its name of before")
    func kinds() throws {
        var review = GoldenReview()
        review.add(session: [
            Self.pair(Self.event("Paid", ["total": 1]), Self.event("Paid", ["total": 1])),
            Self.pair(Self.event("Paid", ["total": 2]), Self.event("Paid", ["total": "2"])),
            Self.pair(Self.event("Paid"), nil), Self.pair(nil, Self.event("Kept")), Self.pair(nil, nil),
            Self.pair(Self.event("Old"), Self.event("New")),
        ])
        #expect(review.sessions == 1)
        #expect(review.records == 6)
        #expect(!review.isSame)
        #expect(review.names.map(\.name.name) == ["Kept", "Old", "Paid"])
        let paid = try #require(review.names.last)
        #expect((paid.same, paid.changed, paid.dropped, paid.made) == (1, 1, 1, 0))
        #expect(paid.fields.map(\.path) == ["properties.total"])
        #expect(paid.fields[0].before == "2")
        #expect(paid.fields[0].after == #""2""#)
        #expect(review.names[0].made == 1)
        #expect(review.names[1].fields.map(\.path) == ["event"])
        // Without a plan no rule can be broken.
        #expect(review.broken.isEmpty)
    }

    @Test("A field is named by its path; elements of lists share one, and a list of another length is one field")
    func fields() throws {
        var review = GoldenReview()
        let before = Self.event(
            "Paid", ["products": [["price": 1], ["price": 2]], "tags": ["a"], "gone": 1, "o": ["p": 1]])
        let after = Self.event("Paid", ["products": [["price": 3], ["price": 4]], "tags": [], "more": 1, "o": 1])
        review.add(session: [Self.pair(before, after)])
        let fields = try #require(review.names.first?.fields)
        #expect(
            fields.map(\.path) == [
                "properties.gone", "properties.more", "properties.o", "properties.products[].price", "properties.tags",
            ])
        #expect(fields.map(\.events) == [1, 1, 1, 1, 1])
        #expect(fields[0].after == nil)
        #expect(fields[1].before == nil)
        #expect(review.lines.contains("  properties.gone: 1 events, such as 1 → nothing"))
    }

    @Test("Made events belong together by name and place; ids and times that a run gives them do not count")
    func made() throws {
        func made(_ names: [String], id: String) -> GoldenOutcome {
            GoldenOutcome(
                after: nil,
                made: names.enumerated().map { place, name in
                    [
                        "type": "track", "event": .string(name), "messageId": .string("\(id)\(place)"),
                        "timestamp": .string(id), "properties": ["place": .string(name)],
                    ]
                })
        }
        var review = GoldenReview()
        review.add(session: [
            GoldenComparison(before: made(["A", "B", "A"], id: "x"), after: made(["B", "A", "C"], id: "y"))
        ])
        let names = review.names
        #expect(names.map(\.name.name) == ["A", "B", "C"])
        #expect(names.map(\.same) == [1, 1, 0])
        #expect(names.map(\.dropped) == [1, 0, 0])
        #expect(names.map(\.made) == [0, 0, 1])
    }

    @Test("A planned event that vanishes breaks the rule; it is counted in each session for itself")
    func vanishing() throws {
        var review = GoldenReview(plan: [Self.paid, GoldenEventName(type: "identify")])
        review.add(session: [Self.pair(Self.event("Paid"), nil), Self.pair(Self.event("Paid"), Self.event("Paid"))])
        // An event more in one session does not make up for one that is missing in another.
        review.add(session: [Self.pair(nil, Self.event("Paid")), Self.pair(["type": "identify"], ["type": "identify"])])
        review.add(session: [Self.pair(Self.event("Unplanned"), nil)])
        let broken = try #require(review.broken.first)
        #expect(review.broken.count == 1)
        #expect(broken.rule == .plannedEventVanishes)
        #expect((broken.before, broken.missing, broken.sessions) == (2, 1, 1))
        #expect(broken.sentence == #"track "Paid" is in the tracking plan, and 1 of 2 would vanish, in 1 session"#)
        #expect(throws: GoldenDifference.self) { try review.expectNoBrokenRule() }
        #expect(review.json["broken"]?[0]?["missing"] == 1)
    }

    @Test("A planned event that gets another name vanishes; one that a script makes in its place does not")
    func renamed() {
        var renamed = GoldenReview(plan: [Self.paid])
        renamed.add(session: [Self.pair(Self.event("Paid"), Self.event("Payed"))])
        #expect(renamed.broken.map(\.missing) == [1])
        var replaced = GoldenReview(plan: [Self.paid])
        replaced.add(session: [
            GoldenComparison(
                before: GoldenOutcome(after: Self.event("Paid")),
                after: GoldenOutcome(after: nil, made: [Self.event("Paid")]))
        ])
        #expect(replaced.broken.isEmpty)
    }

    @Test("What differs from one run to the next is by chance: it is neither a change nor a broken rule")
    func chance() throws {
        var review = GoldenReview(plan: [Self.paid])
        review.add(session: [
            Self.pair(Self.event("Paid", ["r": 1]), Self.event("Paid", ["r": 2]), again: Self.event("Paid", ["r": 3])),
            Self.pair(Self.event("Paid"), nil, again: Self.event("Paid")),
            Self.pair(
                Self.event("Paid", ["r": 1, "s": 1]), Self.event("Paid", ["r": 2, "s": 2]),
                again: Self.event("Paid", ["r": 3, "s": 2])),
        ])
        let paid = try #require(review.names.first)
        #expect((paid.unsteady, paid.changed, paid.dropped) == (2, 1, 0))
        #expect(paid.fields.map(\.path) == ["properties.s"])
        #expect(review.broken.isEmpty)
    }

    @Test("The review is bounded: names, fields and shown values")
    func bounds() throws {
        var review = GoldenReview()
        let many = GoldenReview.Limits.names + 10
        review.add(session: (0..<many).map { Self.pair(Self.event("E\($0)"), nil) })
        #expect(review.names.count == GoldenReview.Limits.names)
        #expect(review.others?.dropped == 10)
        var wide = GoldenReview()
        let properties = Dictionary(
            uniqueKeysWithValues: (0..<60).map { ("p\($0)", JSON.string(String(repeating: "x", count: 99))) })
        wide.add(session: [Self.pair(Self.event("E"), Self.event("E", .object(properties)))])
        let difference = try #require(wide.names.first)
        #expect(difference.fields.count == GoldenReview.Limits.fields)
        #expect(difference.moreFields == 10)
        #expect(difference.fields[0].after?.count == GoldenReview.Limits.valueCharacters + 1)
    }

    @Test("The same outcomes give the same review, and no difference is none")
    func same() throws {
        func review() -> GoldenReview {
            var review = GoldenReview(plan: [Self.paid])
            let made = ["B", "A", "C"].map { Self.event($0) }
            review.add(session: [
                GoldenComparison(before: GoldenOutcome(after: nil, made: made), after: GoldenOutcome(after: nil)),
                Self.pair(Self.event("Paid"), Self.event("Paid")),
            ])
            return review
        }
        #expect(review() == review())
        #expect(review().json.description == review().json.description)
        #expect(review().lines == ["track \"A\": 1 dropped", "track \"B\": 1 dropped", "track \"C\": 1 dropped"])
        var none = GoldenReview(plan: [Self.paid])
        none.add(session: [Self.pair(Self.event("Paid"), Self.event("Paid"))])
        try none.expectSame()
        try none.expectNoBrokenRule()
        #expect(none.lines.isEmpty)
        #expect(throws: GoldenDifference.self) { try review().expectSame() }
    }
}
