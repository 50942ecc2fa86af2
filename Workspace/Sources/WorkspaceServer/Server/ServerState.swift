import TributaryJSON

/// Whether the server takes requests, and what waits behind those that it took.
struct ServerState: Sendable, Equatable {
    let isReady: Bool
    let status: String
    let waitingRequests: Int
    let waitingBytes: Int

    init(_ journal: IngestJournal, _ progress: IndexProgress) async {
        let failure = await progress.failure
        isReady = journal.hasRoom && failure == nil
        status = isReady ? "ready" : journal.hasRoom ? "storage fails" : "too much waits"
        waitingRequests = journal.waitingCount(after: await progress.sequence)
        waitingBytes = journal.waitingBytes
    }

    var json: JSONObject {
        [
            "status": .string(status), "waitingRequests": .number(JSONNumber(waitingRequests)),
            "waitingBytes": .number(JSONNumber(waitingBytes)),
        ]
    }
}
