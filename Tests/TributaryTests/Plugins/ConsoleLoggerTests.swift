import TestSupport
import Testing

@testable import Tributary

@Suite("The console logger")
struct ConsoleLoggerTests {
    @Test("A console logger writes each event and each diagnostic until it is removed")
    func lines() async {
        let lines = LockBox<[String]>([])
        let client = Client()
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let logger = ConsoleLogger { line in
            lines.withLock { $0.append(line) }
            continuation.yield(line)
        }
        client.analytics.add(plugin: logger)
        client.analytics.track(name: "A", properties: ["n": 1])
        client.analytics.track(name: "B", properties: ["bad": Unencodable()])
        await client.processed()
        // Observers of diagnostics are called one after the other, so the logger may be the last.
        for await line in stream where line.contains("invalid_value") { break }
        let written = lines.withLock { $0 }
        #expect(written.contains { $0.hasPrefix(#"analytics: track "A" {"#) && $0.contains(#""n":1"#) })
        client.analytics.remove(plugin: logger)
        client.analytics.track(name: "C")
        await client.processed()
        #expect(!lines.withLock { $0 }.contains { $0.contains(#""C""#) })
        await client.ended()
    }

    private struct Unencodable {}
}
