import WorkspaceCore

/// Takes requests into the journal of one machine.
struct JournalIntake: Intake {
    let journal: IngestJournal
    let progress: IndexProgress

    func append(_ request: AcceptedRequest, plain: [UInt8]) async throws -> UInt64? {
        try await journal.append(request)
    }

    func reach(_ place: UInt64, within duration: Duration) async { await progress.reach(place, within: duration) }

    /// With a long backlog the wait ends after `duration`. The next readers do not wait at all until the server has stored
    /// that backlog. The same holds for requests that slow scripts hold up, which readers of other sources do not miss.
    func wait(atMost duration: Duration) async -> Int {
        let last = journal.lastSequence
        if await !progress.isBehind {
            await progress.pass(last, within: duration)
            if await progress.passed < last { await progress.noteBacklog(through: last) }
        }
        if await progress.passed >= last, await !progress.isLate {
            await progress.reach(last, within: min(duration, Limits.patienceWithScripts))
            if await progress.sequence >= last { return 0 }
            await progress.noteLate(through: last)
        }
        return journal.waitingCount(after: await progress.sequence)
    }

    func mark() -> IntakeMark { IntakeMark(places: [journal.lastSequence]) }

    func isStored(_ mark: IntakeMark, within duration: Duration) async -> Bool {
        let last = mark.places[0]
        await progress.reach(last, within: duration)
        return await progress.sequence >= last
    }

    func forget(_ mark: IntakeMark) throws { try journal.discard(through: mark.places[0]) }

    var state: IntakeState {
        get async {
            let failure = await progress.failure
            return IntakeState(
                status: !journal.hasRoom ? .tooMuchWaits : failure == nil ? .ready : .storageFails,
                waitingRequests: journal.waitingCount(after: await progress.sequence),
                waitingBytes: journal.waitingBytes)
        }
    }
}
