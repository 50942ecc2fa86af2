import HTTPTypes
import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

/// A log that takes nothing.
private struct FailingLog: EventLog {
    let error: LogError
    let partitions = 2

    func append(_ record: [UInt8], id: String, to partition: Int) async throws -> UInt64 { throw error }
    func read(_ partition: Int, from place: UInt64, atMost count: Int, bytes: Int) throws -> [LogRecord] { throw error }
    func standing(of partition: Int) throws -> LogRange { throw error }
    func trim(_ partition: Int, through place: UInt64) throws { throw error }
    func close() {}
}

/// A log that does not answer in the time of a test, or at once.
private struct SlowLog: EventLog {
    let isSlow: Bool
    let partitions = 2

    func append(_ record: [UInt8], id: String, to partition: Int) async throws -> UInt64 {
        if isSlow { try await Task.sleep(for: .seconds(86_400)) }
        return 1
    }
    func read(_ partition: Int, from place: UInt64, atMost count: Int, bytes: Int) -> [LogRecord] { [] }
    func standing(of partition: Int) -> LogRange { LogRange(incarnation: "", first: 1, last: 0) }
    func trim(_ partition: Int, through place: UInt64) {}
    func close() {}
}

@Suite("Requests for a log of a cluster that fails") struct ClusterIntakeTests {
    private let request = AcceptedRequest(
        form: .batch, isCompressed: false, source: 1, receivedAt: 1, uploadedAt: nil,
        body: Array(#"{"batch":[{"anonymousId":"a"}]}"#.utf8))

    @Test(
        "Whatever the log says, a client is asked to send again and gives nothing up",
        arguments: [LogError.unavailable("no leader"), .refused("maximum bytes exceeded"), .broken("no sequence")])
    func refusal(_ error: LogError) async throws {
        let intake = ClusterIntake(log: FailingLog(error: error), progress: ClusterProgress(partitions: 2))
        let refusal = await #expect(throws: Refusal.self) {
            try await intake.append(request, plain: request.body)
        }
        #expect(refusal?.status == .serviceUnavailable)
        #expect(refusal?.retryAfter == 1)
        #expect(refusal?.message.contains("\(error)") == true)
    }

    @Test("A request does not wait for a log that has been away for long") func away() async throws {
        let progress = ClusterProgress(partitions: 2)
        await progress.fail(at: .now - .seconds(11))
        let intake = ClusterIntake(
            log: SlowLog(isSlow: true), progress: progress, shortPatience: .milliseconds(1))
        let refusal = await #expect(throws: Refusal.self) {
            try await intake.append(request, plain: request.body)
        }
        #expect(refusal?.status == .serviceUnavailable)
        #expect(refusal?.retryAfter == 1)
    }

    @Test("A request does not wait for a log that answers and takes nothing") func stuck() async throws {
        let progress = ClusterProgress(partitions: 2)
        await progress.beginAppend(at: .now - .seconds(11))
        let intake = ClusterIntake(log: SlowLog(isSlow: true), progress: progress, shortPatience: .milliseconds(1))
        let refusal = await #expect(throws: Refusal.self) {
            try await intake.append(request, plain: request.body)
        }
        #expect(refusal?.status == .serviceUnavailable)
        // The other one still waits.
        #expect(await progress.failing() > .seconds(10))
        #expect(await intake.state.status == .logFails)
        await progress.endAppend(isTaken: true)
        #expect(await progress.failing() == .zero)
        #expect(await intake.state.status == .ready)
    }

    @Test("A log is stuck from the time at which it took a request last, or the first one came") func watch() {
        var watch = AppendWatch()
        let start = ContinuousClock.now
        #expect(watch.stuck(at: start) == .zero)
        watch.begin(at: start)
        watch.begin(at: start + .seconds(3))
        #expect(watch.stuck(at: start + .seconds(5)) == .seconds(5))
        watch.end(isTaken: true, at: start + .seconds(6))
        #expect(watch.stuck(at: start + .seconds(8)) == .seconds(2))
        watch.begin(at: start + .seconds(9))
        watch.end(isTaken: false, at: start + .seconds(10))
        #expect(watch.stuck(at: start + .seconds(11)) == .seconds(5))
        watch.end(isTaken: false, at: start + .seconds(12))
        #expect(watch.stuck(at: start + .seconds(60)) == .zero)
        watch.begin(at: start + .seconds(61))
        #expect(watch.stuck(at: start + .seconds(62)) == .seconds(1))
    }

    @Test("A log that is back takes requests before the node has noticed it") func back() async throws {
        let progress = ClusterProgress(partitions: 2)
        await progress.fail(at: .now - .seconds(11))
        let intake = ClusterIntake(
            log: SlowLog(isSlow: false), progress: progress, shortPatience: .seconds(86_400))
        #expect(try await intake.append(request, plain: request.body) == nil)
    }

    @Test("While the log is away, a list says how many requests were known to wait") func waiting() async {
        let progress = ClusterProgress(partitions: 2)
        let intake = ClusterIntake(log: FailingLog(error: .unavailable("no leader")), progress: progress)
        #expect(await intake.wait(atMost: .seconds(86_400)) == 0)
        await progress.note(end: IntakeMark(places: [3, 4]))
        #expect(await intake.wait(atMost: .seconds(86_400)) == 7)
    }
}
