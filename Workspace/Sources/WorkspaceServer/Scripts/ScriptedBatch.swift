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
    /// Where the events of the batch come from.
    private(set) var origins: ScriptedOrigins
    /// Why results of scripts were not used.
    private(set) var problems: [String] = []

    /// - Parameters:
    ///   - job: the request as it came.
    ///   - results: those of its events; nil for one that goes on as it is.
    init(_ job: ScriptJob, _ results: [Result?]) {
        batch = job.batch
        batch.events = []
        batch.events.reserveCapacity(job.batch.events.count)
        origins = ScriptedOrigins()
        for (index, (event, result)) in zip(job.batch.events, results).enumerated() {
            let origin = ScriptedOrigins.Origin(event: index)
            if let result {
                take(event, result.event, result.version, origin)
            } else {
                add(event, origin)
            }
        }
    }

    private mutating func add(_ event: IncomingEvent, _ origin: ScriptedOrigins.Origin) {
        batch.events.append(event)
        origins.events.append(origin)
    }

    private mutating func take(
        _ event: IncomingEvent, _ result: ScriptedEvent, _ version: Int64, _ origin: ScriptedOrigins.Origin
    ) {
        switch result.outcome {
        case .unchanged: add(event.marked(version), origin)
        case .dropped: break
        case .changed(let text):
            do throws(Rejection) {
                add(try read(text, version), origin)
            } catch {
                // As on a device, the event goes on as it was.
                problems.append("the event that scripts left cannot be used: \(error.reason)")
                add(event.marked(version), origin)
            }
        }
        for (number, text) in result.made.enumerated() {
            takeMade(text, version, ScriptedOrigins.Origin(event: origin.event, made: number + 1))
        }
    }

    /// An event that scripts made and that is none is kept with the reason, as if a client had sent it.
    private mutating func takeMade(_ text: [UInt8], _ version: Int64, _ origin: ScriptedOrigins.Origin) {
        do throws(Rejection) {
            add(try read(text, version), origin)
        } catch {
            origins.rejected.append(origin)
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
