import Foundation
import WorkspaceCore
import WorkspaceServer

/// Takes requests into the log of a cluster.
struct ClusterIntake: Intake {
    let log: any EventLog
    let progress: ClusterProgress
    /// How long a request waits for a log that has been away for longer than `patience`. A log that works answers
    /// within this time. Otherwise the client should ask another node.
    var shortPatience = Duration.seconds(1)

    /// For how long the log may be away before the node tells load balancers that it cannot take requests.
    private static let patience = Duration.seconds(10)

    /// Appends each device's part of a request to the device's partition.
    ///
    /// When one part cannot be appended, the client is asked to send the request again. The cluster then recognises
    /// parts that are already in the log by the ids of their events.
    func append(_ request: AcceptedRequest, plain: [UInt8]) async throws -> UInt64? {
        let parts = try RequestParts.of(request, plain: plain, partitions: log.partitions)
        let isAway = await progress.beginAppend() > Self.patience
        do {
            try await append(parts, isAway: isAway)
        } catch {
            await progress.endAppend(isTaken: false)
            if let error = error as? LogError { throw Self.refusal(error) }
            throw error
        }
        await progress.endAppend(isTaken: true)
        return nil
    }

    private func append(_ parts: [RequestParts.Part], isAway: Bool) async throws {
        let id = UUID().uuidString
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in parts {
                group.addTask {
                    let record = ClusterRecord.of(part.request, rows: part.rows)
                    _ = try await log.append(record, id: "\(id)-\(part.partition)", to: part.partition)
                }
            }
            if isAway { group.addTask { try await giveUpSoon() } }
            for _ in parts { try await group.next() }
            group.cancelAll()
        }
    }

    private func giveUpSoon() async throws {
        try await Task.sleep(for: shortPatience)
        throw LogError.unavailable("the log has not answered for more than \(Self.patience.components.seconds) seconds")
    }

    /// Returns at once. A node does not know when a single request is stored, because another node may store it.
    func reach(_ place: UInt64, within duration: Duration) {}

    func wait(atMost duration: Duration) async -> Int {
        // While the log is away, the list shows the stored events and the last known number of waiting requests.
        guard let mark = try? await mark() else { return await progress.waitingRequests }
        if await !progress.isBehind {
            await progress.reach(mark, within: duration)
            if await progress.isStored(mark) { return 0 }
            await progress.noteBacklog(mark)
        }
        return await progress.missing(mark)
    }

    func mark() async throws -> IntakeMark {
        do {
            let places = try await withThrowingTaskGroup(of: (Int, UInt64).self) { group in
                for partition in 0..<log.partitions {
                    group.addTask { (partition, try await log.standing(of: partition).last) }
                }
                return try await group.reduce(into: Array(repeating: 0 as UInt64, count: log.partitions)) {
                    $0[$1.0] = $1.1
                }
            }
            let mark = IntakeMark(places: places)
            await progress.note(end: mark)
            return mark
        } catch let error as LogError {
            throw Self.refusal(error)
        }
    }

    func isStored(_ mark: IntakeMark, within duration: Duration) async -> Bool {
        await progress.reach(mark, within: duration)
        return await progress.isStored(mark)
    }

    func forget(_ mark: IntakeMark) async throws {
        for (partition, place) in mark.places.enumerated() where place > 0 {
            do {
                try await log.trim(partition, through: place)
            } catch let error as LogError {
                throw Self.refusal(error)
            }
        }
    }

    /// The state that this node saw last. A load balancer waits only a moment, so no engine is asked.
    var state: IntakeState {
        get async {
            return await IntakeState(
                status: isAway ? .logFails : .ready, waitingRequests: await progress.waitingRequests, waitingBytes: 0
            )
        }
    }

    /// All nodes have the same log. While it chooses a leader, another node would answer no better.
    private var isAway: Bool { get async { await progress.failing() > Self.patience } }

    /// The answer to the client, also when the log refuses the record for good. The request was checked before, so the
    /// log's settings are at fault. After a 400 the client would drop its events.
    private static func refusal(_ error: LogError) -> Refusal {
        Refusal(.unavailable, "\(error)", retryAfter: 1)
    }
}
