import HTTPTypes
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Methods of paths") struct RouteTableTests {
    private let table = RouteTable([
        (.get, "/"), (.post, "/v1/b"), (.get, "/api/sources/{writeKey}/filters"),
        (.put, "/api/sources/:writeKey/filters"), (.get, "/events/:messageId"),
    ])

    @Test("A path has the methods of its routes, and HEAD beside GET")
    func methods() {
        #expect(table.methods(of: "/") == [.get, .head])
        #expect(table.methods(of: "/v1/b") == [.post])
        #expect(table.methods(of: "/api/sources/WK/filters") == [.get, .head, .put])
    }

    @Test("An encoded id is one step of its path", arguments: ["a%2Fb", "%2E%2E", "a%20b%3F%23", "%F0%9F%8D%8B"])
    func ids(id: String) {
        #expect(table.methods(of: "/events/\(id)") == [.get, .head])
    }

    @Test("Repeated slashes in a path count as one slash")
    func slashes() {
        #expect(table.methods(of: "//v1///b/") == [.post])
        #expect(table.methods(of: "") == [.get, .head])
    }

    @Test(
        "An unknown path has no methods",
        arguments: ["/v1", "/v1/b/c", "/api/sources/filters", "/api/sources/a/b/filters", "/events", "/events/a/b"])
    func others(path: String) {
        #expect(!table.has(path))
    }
}
