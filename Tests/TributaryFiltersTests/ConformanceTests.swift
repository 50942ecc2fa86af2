import Testing
import TributaryFilterTestKit
import TributaryFilters
import TributaryJSON

@Suite(.enabled(if: ConformanceVector.file != nil, "shared/conformance/destination-filters.json is not here"))
struct ConformanceTests {
    @Test func theFileIsComplete() throws {
        let kinds = try ConformanceVector.all().map { $0.json["kind"]?.stringValue ?? "" }
        #expect(kinds.count >= 742)
        #expect(Set(kinds) == ["matcher", "transform", "rule"])
    }

    @Test(arguments: try ConformanceVector.all())
    func vector(_ vector: ConformanceVector) throws {
        let vector = try FilterVector(vector.json)
        let answer = vector.answer()
        #expect(answer.agrees(with: vector.expected), "got \(answer), expected \(vector.expected)")
    }
}
