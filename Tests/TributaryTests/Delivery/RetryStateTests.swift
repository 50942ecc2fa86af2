import Foundation
import TestSupport
import Testing
import TributaryJSON
import TributaryJournal

@testable import Tributary

/// The form on disk: a change here is a change for devices that have the old form.
private let goldenState =
    #"{"version":1,"host":"https://server.test/v1","failures":3,"unansweredLaunches":1,"pause":7.25,"#
    + #""mayAsk":true,"failingSince":1795000000000,"pausedAt":1795000100000,"attemptedAt":1795000200000,"#
    + #""askedAt":1795000150000,"batchBytes":100000,"plainHosts":{"https://old.test":1794000000000}}"#

@Suite("The stored state of delivery")
struct RetryStateTests {
    private static let state = RetryState(
        host: "https://server.test/v1", failures: 3, failingSince: 1_795_000_000_000, pausedAt: 1_795_000_100_000,
        pause: 7.25, mayAsk: true, askedAt: 1_795_000_150_000, unansweredLaunches: 1, attemptedAt: 1_795_000_200_000,
        batchBytes: 100_000,
        plainHosts: ["https://old.test": 1_794_000_000_000])

    @Test("The retry state on disk has its golden form and is read back")
    func golden() throws {
        #expect(Self.state.json.description == goldenState)
        #expect(RetryState(json: try JSON.parse([UInt8](goldenState.utf8))) == Self.state)
    }

    @Test("The file of the retry state is replaced as a whole, and the next launch reads it")
    func file() throws {
        let folder = try TemporaryFolder()
        let file = RetryStateFile(file: KeptFile(folder.url.path + "/delivery.json", PosixFileSystem()))
        #expect(file.load() == RetryState())
        try file.store(RetryState(failures: 1_000))
        try file.store(Self.state)
        #expect(file.load() == Self.state)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["delivery.json"])
    }

    @Test(
        "A damaged state file, or one of another version, is ignored",
        arguments: [
            "", "{", "[]", "\u{0}\u{0}", goldenState.replacingOccurrences(of: #":1,"host"#, with: #":2,"host"#),
        ])
    func damaged(text: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path + "/delivery.json"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        #expect(RetryStateFile(file: KeptFile(path, PosixFileSystem())).load() == RetryState())
    }

    @Test("Impossible values of the state are clamped")
    func nonsense() throws {
        let text =
            #"{"version":1,"failures":-5,"pause":-1,"batchBytes":-9,"unansweredLaunches":1e12,"plainHosts":[1]}"#
        let state = RetryState(json: try JSON.parse([UInt8](text.utf8)))
        #expect(state.failures == 0)
        #expect(state.pause == 0)
        #expect(state.batchBytes == 1)
        #expect(state.unansweredLaunches == Limits.countedFailures)
    }

    @Test("A pause continues after a launch, and begins again after the clock was set back")
    func pauseLeft() {
        let state = RetryState(pausedAt: 100_000, pause: 60)
        #expect(state.pauseLeft(at: 130_000, longest: 600) == 30)
        #expect(state.pauseLeft(at: 160_000, longest: 600) == 0)
        #expect(state.pauseLeft(at: 0, longest: 600) == 60)
        #expect(state.pauseLeft(at: .max, longest: 600) == 0)
        #expect(RetryState(pausedAt: .max, pause: .infinity).pauseLeft(at: .min, longest: 600) == 600)
    }

    @Test("Only the latest servers are remembered")
    func plainHosts() {
        var state = RetryState()
        for number in 1...20 { state.setPlain("host\(number)", at: Int64(number)) }
        #expect(state.plainHosts.count == Limits.plainHosts)
        #expect(state.isPlain("host20", at: 20))
        #expect(!state.isPlain("host1", at: 20))
    }
}
