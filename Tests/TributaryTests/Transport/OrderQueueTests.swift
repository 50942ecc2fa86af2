#if canImport(CTributaryCurl)
import Dispatch
import Foundation
import Testing

@testable import Tributary

@Suite("Requests that wait for a connection")
struct OrderQueueTests {
    private func order(_ server: String, deadline: UInt64 = 100) throws -> CurlLoop.Order {
        CurlLoop.Order(
            request: TransportRequest(method: "GET", url: try #require(URL(string: server))),
            deadline: DispatchTime(uptimeNanoseconds: deadline), authorities: nil, completion: { _ in })
    }

    @Test("Requests beyond a server's limit wait in their order")
    func order() throws {
        var queue = OrderQueue()
        let orders = try (0..<6).map { try order("http://a.test/\($0)") }
        #expect(orders.map { queue.begins($0) } == [true, true, false, false, false, false])
        #expect(queue.begins(try order("http://b.test")))
        #expect(queue.begins(try order("http://a.test:8080")))
        #expect((0..<4).map { _ in queue.ended(at: "http://a.test:0")?.request.url.path } == ["/2", "/3", "/4", "/5"])
        #expect(queue.isEmpty)
        #expect(queue.ended(at: "http://a.test:0") == nil)
        #expect(queue.ended(at: "http://a.test:0") == nil)
        #expect(queue.begins(try order("http://a.test")))
        #expect(queue.begins(try order("http://a.test")))
        #expect(!queue.begins(try order("http://a.test")))
    }

    @Test("The end of a request starts none of another server")
    func servers() throws {
        var queue = OrderQueue()
        for _ in 0..<3 { _ = queue.begins(try order("http://a.test")) }
        _ = queue.begins(try order("http://b.test"))
        #expect(queue.ended(at: "http://b.test:0") == nil)
        #expect(!queue.isEmpty)
    }

    @Test("A request that waits too long is removed, a running one is not")
    func overdue() throws {
        var queue = OrderQueue()
        for deadline: UInt64 in [10, 20, 50, 30, 40] {
            _ = queue.begins(try order("http://a.test/\(deadline)", deadline: deadline))
        }
        #expect(queue.nextDeadline == DispatchTime(uptimeNanoseconds: 30))
        #expect(queue.overdue(at: DispatchTime(uptimeNanoseconds: 29)).isEmpty)
        let late = queue.overdue(at: DispatchTime(uptimeNanoseconds: 40))
        #expect(late.map(\.request.url.path) == ["/30", "/40"])
        #expect(late.first?.timeout.isTimeout == true)
        #expect(queue.ended(at: "http://a.test:0")?.request.url.path == "/50")
    }
}
#endif
