import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The pace of connections") struct ConnectionPaceTests {
    private let second: Int64 = 1_000_000_000

    @Test("A body with a byte in twenty seconds is too slow, and one with some kilobytes a second is not")
    func bodies() {
        var slow = BodyPace()
        var fast = BodyPace()
        for turn in 0..<100 {
            let now = Int64(turn) * 20 * second
            slow.wait(now: now)
            fast.wait(now: now)
            slow.arrived(1, now: now + 20 * second)
            fast.arrived(40_000, now: now + 20 * second)
            #expect(!fast.isTooSlow(now: now + 20 * second))
        }
        #expect(slow.isTooSlow(now: 2_000 * second))
        var none = BodyPace()
        none.wait(now: 0)
        #expect(!none.isTooSlow(now: 20 * second))
        #expect(none.isTooSlow(now: 21 * second))
    }

    @Test("A server that does not ask for the body does not take its client for a slow one")
    func busyServer() {
        var pace = BodyPace()
        pace.wait(now: 0)
        pace.arrived(1, now: second)
        #expect(!pace.isTooSlow(now: 1_000 * second))
        pace.wait(now: 1_000 * second)
        #expect(!pace.isTooSlow(now: 1_001 * second))
        #expect(pace.isTooSlow(now: 1_030 * second))
    }

    @Test("A body in chunks of one byte is taken, and one with more extensions than body is not")
    func framing() {
        var count = FramingCount()
        // A chunk of one byte takes six: its length, two line ends and the byte.
        for _ in 0..<4_000 {
            count.arrived(6_000)
            count.foundBody(1_000)
        }
        #expect(!count.isTooMuch)
        // What a long body has saved is not left for extensions.
        count.arrived(Limits.framingBytes)
        #expect(!count.isTooMuch)
        count.arrived(1)
        #expect(count.isTooMuch)
    }

    @Test("Chunks of one byte with an extension are taken up to sixteen bytes for each, and given up beyond")
    func extensions() {
        var (few, many) = (FramingCount(), FramingCount())
        for _ in 0..<1_000_000 {
            few.arrived(17)
            few.foundBody(1)
            many.arrived(18)
            many.foundBody(1)
        }
        #expect(!few.isTooMuch)
        #expect(many.isTooMuch)
    }

    @Test("A connection with an unreadable request stays open until its answer, and then ends")
    func unreadable() throws {
        let channel = EmbeddedChannel(handler: ConnectionHandler(OpenConnections(limit: 4)))
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        try channel.connect(to: address).wait()
        let asked = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/v1/b")
        try channel.writeInbound(HTTPServerRequestPart.head(asked))
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidChunkSize)
        #expect(throws: HTTPParserError.invalidChunkSize) { try channel.throwIfErrorCaught() }
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(channel.isActive)
        let head = HTTPResponseHead(version: .http1_1, status: .badRequest)
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(3))
        #expect(!channel.isActive)
    }

    @Test("A connection on which nothing is asked and something unreadable comes ends soon")
    func garbage() throws {
        let channel = EmbeddedChannel(handler: ConnectionHandler(OpenConnections(limit: 4)))
        try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidMethod)
        #expect(throws: HTTPParserError.invalidMethod) { try channel.throwIfErrorCaught() }
        channel.embeddedEventLoop.advanceTime(by: .seconds(3))
        #expect(!channel.isActive)
    }

    @Test("Each request has the room anew, and a head without an end or empty lines without a head do not")
    func heads() {
        var count = FramingCount()
        for _ in 0..<1_000 {
            count.arrived(80_000)
            count.foundPart()
        }
        #expect(!count.isTooMuch)
        for _ in 0..<9 { count.arrived(16 << 10) }
        #expect(count.isTooMuch)
    }

    @Test("A client that takes nothing for thirty seconds is given up, one that takes a little is not")
    func answers() {
        var progress = AnswerProgress()
        progress.wrote(1_000)
        progress.look(waiting: 1_000, now: 0)
        #expect(progress.blockedSince == 0)
        progress.look(waiting: 999, now: 29 * second)
        #expect(!progress.isGivenUp(now: 58 * second))
        // More that was written is no sign of the client.
        progress.wrote(500)
        progress.look(waiting: 1_499, now: 58 * second)
        #expect(progress.blockedSince == 29 * second)
        #expect(progress.isGivenUp(now: 59 * second))
        progress.look(waiting: 0, now: 60 * second)
        #expect(progress.blockedSince == nil)
        #expect(!progress.isGivenUp(now: 600 * second))
    }

    @Test(
        "A head says whether a request may be one of an administrator",
        arguments: [
            ("GET", "/api/sources", ["Authorization": "Bearer x"], true),
            ("GET", "/api/sources", ["Cookie": "a=b; tributary-session-8484=x"], true),
            ("POST", "/login", [:], true), ("GET", "/login", [:], false),
            ("GET", "/api/stream", ["Authorization": "Bearer x"], false),
            ("GET", "/api/wait-for-event?name=A", ["Authorization": "Bearer x"], false),
            ("POST", "/v1/b", ["Authorization": "Basic V0s6"], false), ("GET", "/", [:], false),
        ])
    func administrators(_ method: String, _ uri: String, _ headers: [String: String], _ isOne: Bool) {
        var head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: method), uri: uri)
        for (name, value) in headers { head.headers.add(name: name, value: value) }
        #expect(AdministratorRequest.isOne(head) == isOne)
    }
}
