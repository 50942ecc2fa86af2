import Foundation
import Testing
import TributaryFilterTestKit
import TributaryFilters
import TributaryJSON

/// Runs every example of the guide, so that guide and evaluator cannot drift apart.
@Suite struct GuideTests {
    private let guide: [Guide.Block]

    init() throws { guide = try Guide.blocks() }

    private func event() throws -> JSON { try JSON.parse(try #require(guide.first { $0.kind == "json event" }?.text)) }

    @Test("Each expression of the guide has the documented answer")
    func guideExpressions() throws {
        let event = try event()
        let lines = guide.filter { $0.kind == "fql" }.flatMap { $0.text.split(separator: "\n") }
        #expect(lines.count > 50)
        for line in lines {
            let parts = line.components(separatedBy: " → ")
            try #require(parts.count == 2, "\(line)")
            let answer = Result { try FilterMatcher(fql(parts[0])).matches(event) }
            #expect((try? answer.get().description) ?? "error" == parts[1], "\(line)")
        }
    }

    @Test("Each transformer of the guide has the documented effect")
    func guideTransformers() throws {
        let examples = guide.indices.filter { guide[$0].kind == "json transformer" }
        #expect(examples.count >= 8)
        for position in examples {
            let transformer = try FilterTransformer(try JSON.parse(guide[position].text))
            var event = try event()
            let before = event
            let effect = try transformer.apply(to: &event)
            try #require(guide[position + 1].kind == "effect")
            #expect(text(of: effect, before, event) == guide[position + 1].text)
        }
    }

    private func text(of effect: FilterTransformer.Effect, _ before: JSON, _ after: JSON) -> String {
        switch effect {
        case .dropped: return "dropped"
        case .kept: return "unchanged"
        case .changed:
            return JSONDifference.between(before, after).flatMap { difference in
                [
                    difference.before.map { "- \(difference.path): \($0)" },
                    difference.after.map { "+ \(difference.path): \($0)" },
                ].compactMap(\.self)
            }.joined(separator: "\n")
        }
    }

    @Test("The rules of the guide have no problems, and drop the example's event")
    func guideRules() throws {
        let rules = try guide.filter { $0.kind == "json rule" }.map { try JSON.parse($0.text) }
        #expect(!rules.isEmpty)
        #expect(FilterRules(routingRules: .array(rules)).problems.isEmpty)
        var event: JSON = ["event": "Test Order"]
        #expect(FilterRules(routingRules: .array(rules)).apply(to: &event, destination: "Amplitude").result == .dropped)
    }

    @Test("Each broken rule of the guide has the documented problem")
    func guideProblems() throws {
        let examples = guide.indices.filter { guide[$0].kind == "json broken" }
        #expect(!examples.isEmpty)
        for position in examples {
            let rules = FilterRules(routingRules: [try JSON.parse(guide[position].text)])
            #expect(rules.problems.map(\.description) == [guide[position + 1].text])
        }
    }

    @Test("Each mistaken rule of the guide has the documented finding")
    func guideFindings() throws {
        let examples = guide.indices.filter { guide[$0].kind == "json mistake" }
        #expect(!examples.isEmpty)
        for position in examples {
            let review = FilterReview(routingRules: [try JSON.parse(guide[position].text)])
            #expect(review.findings.map(\.description) == [guide[position + 1].text])
        }
    }

    /// An example in a block of an unknown kind would run in no test.
    @Test("A test knows each kind of block in the guide")
    func knownBlocks() {
        let known: Set = [
            "swift", "json rule", "json event", "json transformer", "json broken", "json mistake", "fql", "effect",
            "problem", "finding",
            // Tests/Server/guides_test.py runs these.
            "sh", "json rules.json", "json events.ndjson", "json vectors.json",
        ]
        #expect(Set(guide.map(\.kind)).subtracting(known).isEmpty)
    }
}

/// The fenced blocks of docs/guides/destination-filters.md.
private enum Guide {
    struct Block {
        /// What follows the opening fence.
        let kind: String
        let text: String
    }

    static func blocks() throws -> [Block] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appendingPathComponent("docs/guides/destination-filters.md")
        var blocks: [Block] = []
        var open: (kind: String, lines: [String])?
        for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(Block(kind: block.kind, text: block.lines.joined(separator: "\n")))
                    open = nil
                } else {
                    open = (String(line.dropFirst(3)), [])
                }
            } else {
                open?.lines.append(line)
            }
        }
        return blocks
    }
}
