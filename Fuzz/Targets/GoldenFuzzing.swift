import TributaryJSON
import TributaryTesting

/// Any bytes are a file of golden sessions or a fault with a line. Sessions come out of a file as they went in, and a comparison
/// with themselves finds nothing.
enum GoldenFuzzing {
    static func run(_ bytes: [UInt8]) {
        check(bytes)
        check(Array(#"{"tributaryGolden":1,"plan":[{"type":"track","name":"A"}]}"#.utf8) + [10] + bytes)
    }

    private static func check(_ bytes: [UInt8]) {
        let golden: GoldenSessions
        do {
            golden = try GoldenSessions(bytes)
        } catch {
            let lines = bytes.count { $0 == 10 } + 1
            return require((1...lines).contains(error.line ?? 1), "the fault is in no line: \(error)")
        }
        guard let again = try? GoldenSessions(golden.encoded) else { fatalError("what was written cannot be read") }
        require(again == golden, "the sessions come out different")
        var review = GoldenReview(plan: golden.plan)
        for session in golden.sessions {
            review.add(session: session.records.map { GoldenComparison(before: $0.outcome, after: $0.outcome) })
        }
        require(review.isSame && review.broken.isEmpty, "the sessions differ from themselves")
    }
}
