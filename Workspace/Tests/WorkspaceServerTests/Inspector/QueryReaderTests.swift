import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct QueryReaderTests {
    @Test("Values of a query are percent-decoded, and the first value of a repeated name counts")
    func decoding() {
        let reader = QueryReader(query: "name=Order+Completed&userId=a%2Bb%26c&type=&x&bad=%zz&name=second")
        #expect(reader.text("name") == "Order Completed")
        #expect(reader.text("userId") == "a+b&c")
        #expect(reader.text("type") == nil)
        #expect(reader.text("x") == nil)
        #expect(reader.text("bad") == "%zz")
        #expect(reader.text("missing") == nil)
    }

    @Test("Events are in descending order unless the query has after")
    func order() throws {
        #expect(try QueryReader(query: "").eventQuery(matching: []).order == .descending)
        #expect(try QueryReader(query: "after=3").eventQuery(matching: []).order == .ascending)
        #expect(try QueryReader(query: "after=3&order=desc").eventQuery(matching: []).order == .descending)
    }

    @Test(
        "Invalid limits, positions and orders are refused",
        arguments: ["limit=0", "limit=1001", "limit=x", "after=-1", "before=1.5", "order=up"])
    func refusals(_ query: String) {
        #expect(throws: Refusal.self) { try QueryReader(query: query).eventQuery(matching: []) }
    }
}
