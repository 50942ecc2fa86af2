import Foundation
import Testing
import TributaryJSON

@testable import Demo

/// The tests run the command line of the shop with mistakes and without a server.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ShopTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test("Events wait on the device while the server is down, and a later run sends the events")
    func serverDown() async throws {
        let door = try ClosedDoor()
        door.close()
        let events = try Recording(count: 300).write(to: scene)
        let (ending, output) = try await scene.runShop(
            door.address, ["--events", events, "--ledger", scene.path("ledger"), "--flush-timeout", "4"])
        #expect(ending == .exit(1))
        let ledger = try scene.ledger()
        #expect(ledger.count == 300)
        #expect(output.contains { $0.hasPrefix("storefront: \(ledger.count) events were not sent: ") })
        #expect(output.contains("storefront: they wait in \(scene.path("device"))"))
        #expect(output.contains { $0.hasPrefix("storefront: to send them: storefront --resume --storage ") })
        let summary = try scene.summary()
        #expect(summary["tracked"]?.intValue == ledger.count)
        #expect(summary["flush"]?["remaining"]?.intValue == ledger.count)

        try await scene.withWorkspace(port: door.port) { client in
            try await scene.resumeShop(client.server)
            let stored = try await client.storedIds()
            #expect(stored.count == ledger.count)
            #expect(Set(stored) == Set(ledger))
        }
        #expect(try scene.summary()["flush"] == ["result": "sent", "remaining": 0])
    }

    @Test func aWrongCommandLineIsExplained() async throws {
        let cases: [([String], String)] = [
            (["--sped", "3"], "Error: Unknown option '--sped'"),
            (["--speed", "0"], "Error: --speed is a number above 0."),
            (["--resume", "--events", "x"], "Error: --resume plays nothing."),
            (["--server", "ftp://nowhere"], "Error: 'ftp://nowhere/v1' is not the address of a server"),
            (["--resume"], "Error: --resume needs the --storage of the earlier run."),
            (["--events", "a", "--sessions", "b"], "Error: Either --sessions or --events, not both."),
        ]
        for (arguments, message) in cases {
            let shop = try await ChildProcess(Programs.storefront, arguments: arguments)
            #expect(await shop.ended() == .exit(64))
            #expect(shop.output.contains { $0.hasPrefix(message) }, "\(shop.output)")
        }
    }

    @Test("The shop refuses a file with a bad line before the first event is played")
    func badLine() async throws {
        let good = #"{"type":"track","event":"A","anonymousId":"a"}"#
        let file = scene.path("events.ndjson")
        try "\(good)\n\(good)\n{\"type\":\"track\"}\n".write(toFile: file, atomically: true, encoding: .utf8)
        let (ending, output) = try await scene.runShop(
            "http://127.0.0.1:1", ["--events", file, "--ledger", scene.path("ledger")])
        #expect(ending == .exit(65))
        #expect(output == [#"storefront: \#(file):3: there is neither a "userId" nor an "anonymousId""#])
        #expect(!FileManager.default.fileExists(atPath: scene.path("ledger")))
        #expect(!FileManager.default.fileExists(atPath: scene.path("device")))
    }

    @Test("The shop names a file that is missing")
    func missingFile() async throws {
        let (ending, output) = try await scene.runShop("http://127.0.0.1:1", ["--sessions", scene.path("none")])
        #expect(ending == .exit(65))
        #expect(output == ["storefront: \(scene.path("none")): No such file or directory"])
    }

    @Test("An interrupted shop sends all tracked events")
    func interrupted() async throws {
        try await scene.withWorkspace { client in
            let shop = try await scene.openShop(
                client.server, ["--ledger", scene.path("ledger"), "--progress", "--speed", "1000"])
            #expect(await shop.line(after: "storefront: 10 % ", within: Scene.patience) != nil)
            shop.signal(SIGINT)
            #expect(await shop.ended() == .exit(0))
            let ledger = try scene.ledger()
            #expect(shop.output.contains { $0.hasPrefix("storefront: interrupted after \(ledger.count) of ") })
            #expect(try await Set(client.storedIds()) == Set(ledger))
        }
    }
}
