import Testing
import TributaryFilterTestKit
import TributaryFilters
import TributaryJSON

@Suite(.enabled(if: ConformanceVector.file != nil, "shared/conformance/destination-filters.json is not here"))
struct ConformanceTests {
    @Test("The file of conformance vectors has all vectors and all kinds")
    func completeFile() throws {
        let kinds = try ConformanceVector.all().map { $0.json["kind"]?.stringValue ?? "" }
        #expect(kinds.count >= 742)
        #expect(Set(kinds) == ["matcher", "transform", "rule"])
    }

    @Test("Each conformance vector gives the expected answer", arguments: try ConformanceVector.all())
    func vectors(_ vector: ConformanceVector) throws {
        let vector = try FilterVector(vector.json)
        let answer = vector.answer()
        #expect(answer.agrees(with: vector.expected), "got \(answer), expected \(vector.expected)")
    }
}
