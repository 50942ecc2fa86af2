import Foundation
import ProgramSupport
import Testing
import TributaryJSON

@testable import TributaryCommand
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("What a command says while it waits", .timeLimit(.minutes(30))) struct WaitingNoticeTests {
    /// The lines with the times at which they come, when the time goes on by quarters of a second.
    private func lines(_ notice: inout WaitingNotice, through end: Int64, from start: Int64 = 0) -> [Int64: String] {
        var lines: [Int64: String] = [:]
        for now in stride(from: start, through: end, by: 250) { lines[now] = notice.line(at: now) }
        return lines
    }

    @Test("A terminal hears of a wait after a second, and then how long it takes")
    func terminal() {
        var notice = WaitingNotice(.terminal)
        notice.begin(.ordinary("an answer"), at: 0)
        let lines = lines(&notice, through: 5_000)
        #expect(lines.keys.min() == 1_000)
        #expect(lines[1_000] == "waiting 1 s for an answer; control-C stops it")
        #expect(lines[5_000] == "waiting 5 s for an answer; control-C stops it")
        notice.end()
        #expect(notice.line(at: 6_000) == nil)
    }

    @Test("A terminal gets a bar when it is known how far the work is")
    func bar() {
        var notice = WaitingNotice(.terminal)
        notice.work("10 events", share: 0.5, at: 0)
        #expect(notice.line(at: 999) == nil)
        let bar = String(repeating: "#", count: 15) + String(repeating: "-", count: 15)
        #expect(notice.line(at: 3_000) == "[\(bar)] 50 %  10 events; since 3 s; control-C stops it")
        notice.work("20 events", share: 2, at: 4_000)
        #expect(notice.line(at: 4_000)?.hasPrefix("[\(String(repeating: "#", count: 30))] ") == true)
        notice.begin(.ordinary("an answer"), at: 4_000)
        #expect(notice.line(at: 6_000)?.contains("20 events; waiting 2 s for an answer; ") == true)
        notice.finish()
        #expect(notice.line(at: 9_000) == nil)
    }

    @Test("A log gets a line a minute, and none about a short wait")
    func log() {
        var notice = WaitingNotice(.log)
        notice.begin(.ordinary("an answer"), at: 0)
        let lines = lines(&notice, through: 180_000)
        #expect(lines.keys.sorted() == [10_000, 70_000, 130_000])
        #expect(lines[70_000] == "waiting 70 s for an answer; control-C stops it")
        #expect(lines[130_000] == "waiting 2 minutes for an answer; control-C stops it")
    }

    @Test("A log hears of an obstacle after a second, and of another one at once")
    func obstacle() {
        var notice = WaitingNotice(.log)
        notice.stop = "control-C stops it, and nothing is lost"
        notice.begin(.obstacle("the server, which is full"), at: 0)
        var all = lines(&notice, through: 30_000)
        notice.begin(.obstacle("the server, which is gone"), at: 30_000)
        all.merge(lines(&notice, through: 100_000, from: 30_250)) { $1 }
        #expect(all.keys.sorted() == [1_000, 30_250, 90_250])
        #expect(all[1_000] == "waiting 1 s for the server, which is full; control-C stops it, and nothing is lost")
        // The time counts from the first obstacle on.
        #expect(all[30_250]?.hasPrefix("waiting 30 s for the server, which is gone; ") == true)
        notice.end()
        #expect(notice.line(at: 200_000) == nil)
    }

    @Test("An import says why it waits, and goes on when the workspace takes events again")
    func importing() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/events.ndjson"
        try #"{"type":"track","event":"A","userId":"u"}"#.write(toFile: file, atomically: true, encoding: .utf8)
        let receiver = Receiver { _, before in
            before == 0
                ? Receiver.Answer(
                    status: 429, headers: ["Retry-After": "3"],
                    body: #"{"error":"this source has sent its 1 events of today"}"#)
                : Receiver.Answer(status: 200, body: #"{"stored":1,"repeated":0,"rejected":[]}"#)
        }
        try await receiver.run { url in
            let outcome = try await CommandRun.finish(["import", file, "--write-key", "WK", "--server", url])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output == "1 event stored, 0 repeated, 0 rejected\n")
            #expect(
                outcome.errors.contains(
                    "which takes no events now: this source has sent its 1 events of today; it tries again every 3 s"),
                "\(outcome.errors)")
            #expect(outcome.errors.contains("control-C stops it, and the same command goes on later"))
        }
    }
}
