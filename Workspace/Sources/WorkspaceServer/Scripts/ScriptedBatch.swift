import TributaryJSON
import WorkspaceCore

/// Replaces the events of a request by the results of scripts.
struct ScriptedBatch {
    /// The result of an event, with the version that made it.
    struct Result: Sendable {
        let event: ScriptedEvent
        let version: Int64

        init(_ event: ScriptedEvent, _ version: Int64) { (self.event, self.version) = (event, version) }
    }

    private(set) var batch: IncomingBatch
    /// Why results of scripts were not used.
    private(set) var problems: [String] = []

    /// - Parameters:
    ///   - job: the request as it came.
    ///   - results: those of its events; nil for one that goes on as it is.
    init(_ job: ScriptJob, _ results: [Result?]) {
        batch = job.batch
        batch.events = []
        batch.events.reserveCapacity(job.batch.events.count)
        for (event, result) in zip(job.batch.events, results) {
            if let result { take(event, result.event, result.version) } else { batch.events.append(event) }
        }
    }

    private mutating func take(_ event: IncomingEvent, _ result: ScriptedEvent, _ version: Int64) {
        switch result.outcome {
        case .unchanged: batch.events.append(event.marked(version))
        case .dropped: break
        case .changed(let text):
            do throws(Rejection) {
                batch.events.append(try read(text, version))
            } catch {
                // As on a device, the event goes on as it was.
                problems.append("the event that scripts left cannot be used: \(error.reason)")
                batch.events.append(event.marked(version))
            }
        }
        for text in result.made { takeMade(text, version) }
    }

    /// An event that scripts made and that is none is kept with the reason, as if a client had sent it.
    private mutating func takeMade(_ text: [UInt8], _ version: Int64) {
        do throws(Rejection) {
            batch.events.append(try read(text, version))
        } catch {
            let id = (try? JSON.parse(text))?["messageId"]?.stringValue ?? ""
            batch.rejected.append(
                RejectedEvent(
                    index: batch.events.count, messageId: id, madeId: id, rejection: error, body: text))
        }
    }

    private func read(_ text: [UInt8], _ version: Int64) throws(Rejection) -> IncomingEvent {
        let marked = ScriptMark.marked(text, version: version)
        return try EventReader.again(
            marked.count <= Limits.largestEvent ? marked : text, receivedAt: batch.receivedAt, batch.upload)
    }
}

extension IncomingEvent {
    /// The event with the version that the workspace has taken it through, if there is room for that.
    fileprivate func marked(_ version: Int64) -> IncomingEvent {
        let marked = ScriptMark.marked(body, version: version)
        return marked.count <= Limits.largestEvent ? with(body: marked) : self
    }
}
