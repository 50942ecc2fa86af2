import GRDB

/// The effect of storing some requests: the new rows, their days, and the counts.
///
/// Made from the index of messages, before anything is written. As long as the index does not change, the same requests
/// make the same plan, but for the numbers.
package struct WritePlan: Sendable {
    package private(set) var block: EventBlock
    private(set) var receipts: [Receipt] = []
    package private(set) var counts: [Counter: Int] = [:]
    /// The numbers that were given to rows when the plan is carried out.
    package private(set) var numbers: RowNumbers
    /// Traces that came before their event, in an earlier block.
    private(set) var strayTraces: [StrayTrace] = []
    private var noted: [RowIdentity: MessageLocation] = [:]
    /// The rows of traces with an event that may still come.
    private var tracesOfBlock: [RowIdentity: Int] = [:]
    /// The index's entries for all rows of the requests.
    private let known: [RowIdentity: MessageLocation]
    private let looksForTraces: Bool
    /// By source; events of the others are not judged.
    private let judges: [Int64: PlanJudge]

    package struct Counter: Sendable, Hashable {
        package let source: Int64
        package let name: String

        package init(source: Int64, name: String) { (self.source, self.name) = (source, name) }
    }

    struct StrayTrace: Sendable {
        let event: EventBlock.Row
        let messageId: String
        let day: Day
    }

    /// - Parameters:
    ///   - writeKeys: those of the sources of the requests.
    ///   - numbers: the numbers that were given before.
    ///   - looksForTraces: false when nothing stored is a trace, so that only one of these requests can have come before its event.
    ///   - judges: those of the sources that have a tracking plan.
    package init(
        _ batches: [IncomingBatch], of writeKeys: [Int64: String], identity: EventBlock.Identity, numbers: RowNumbers,
        storedAt: Int64, looksForTraces: Bool, judges: [Int64: PlanJudge] = [:], _ index: MessageIndex
    ) throws {
        try self.init(
            batches, of: writeKeys, identity: identity, numbers: numbers, storedAt: storedAt,
            looksForTraces: looksForTraces, judges: judges, places: index.places(of:))
    }

    /// - Parameter places: says where rows are that are there already.
    package init(
        _ batches: [IncomingBatch], of writeKeys: [Int64: String], identity: EventBlock.Identity, numbers: RowNumbers,
        storedAt: Int64, looksForTraces: Bool, judges: [Int64: PlanJudge] = [:],
        places: (Set<RowIdentity>) throws -> [RowIdentity: MessageLocation]
    ) throws {
        (self.looksForTraces, self.judges) = (looksForTraces, judges)
        known = try places(Self.identities(in: batches, withTraces: looksForTraces))
        block = EventBlock(identity: identity, storedAt: storedAt, writeKeys: writeKeys)
        block.rows.reserveCapacity(batches.reduce(0) { $0 + $1.rowCount })
        self.numbers = numbers
        for batch in batches { receipts.append(take(batch)) }
    }

    /// The messages to add to the index.
    var newMessages: [MessageRow] {
        noted.filter { known[$0.key]?.day != $0.value.day }.map { MessageRow($0.key, $0.value) }
    }

    /// Puts a trace that came before beside its event, where it is looked for.
    package mutating func add(_ trace: IncomingTrace, of event: EventBlock.Row) {
        let identity = RowIdentity(kind: .trace, source: event.identity.source, id: trace.messageId)
        add(identity, event.day, event.receivedAt, .trace(trace, eventAt: event.receivedAt))
    }

    /// All that is asked the index.
    private static func identities(in batches: [IncomingBatch], withTraces: Bool) -> Set<RowIdentity> {
        var identities = Set<RowIdentity>(minimumCapacity: batches.reduce(0) { $0 + $1.rowCount })
        for batch in batches {
            func add(_ kind: RowIdentity.Kind, _ id: String) {
                identities.insert(RowIdentity(kind: kind, source: batch.source, id: id))
            }
            for event in batch.events {
                identities.insert(event.identity(in: batch.source))
                if withTraces { add(.trace, event.messageId) }
            }
            for event in batch.rejected { add(.rejected, event.identity) }
            for trace in batch.traces {
                add(.trace, trace.messageId)
                add(.event, trace.messageId)
            }
            for signal in batch.signals { add(.signal, signal.messageId) }
        }
        return identities
    }

    private mutating func take(_ batch: IncomingBatch) -> Receipt {
        var receipt = Receipt()
        var types: [EventType: Int] = [:]
        let day = Day(milliseconds: batch.receivedAt)
        for event in batch.events {
            let identity = event.identity(in: batch.source)
            guard place(of: identity) == nil else {
                receipt.duplicates += 1
                continue
            }
            receipt.stored += 1
            types[event.type, default: 0] += 1
            add(event, identity, batch, day)
            if let judge = judges[batch.source] { compare(event, by: judge, batch, day) }
        }
        for event in batch.rejected where isNew(.rejected, event.identity, batch) {
            receipt.rejected += 1
            add(
                RowIdentity(kind: .rejected, source: batch.source, id: event.identity), day, batch.receivedAt,
                .rejected(event))
        }
        for trace in batch.traces { add(trace, batch) }
        for signal in batch.signals where isNew(.signal, signal.messageId, batch) {
            receipt.signals += 1
            count("signals", batch)
            add(
                RowIdentity(kind: .signal, source: batch.source, id: signal.messageId), day, batch.receivedAt,
                .signal(signal))
        }
        for (type, amount) in types { count("type:\(type.rawValue)", batch, amount) }
        count(Store.dayCounter(batch.receivedAt / Day.milliseconds), batch, batch.rowCount)
        count(StripCounter.name(batch.receivedAt, .accepted), batch, receipt.stored)
        count(StripCounter.name(batch.receivedAt, .rejected), batch, receipt.rejected)
        count("stored", batch, receipt.stored)
        count("duplicates", batch, receipt.duplicates)
        count("rejected", batch, receipt.rejected)
        return receipt
    }

    /// Counts an event that differs from the plan.
    private mutating func compare(_ event: IncomingEvent, by judge: PlanJudge, _ batch: IncomingBatch, _ day: Day) {
        let name = CountedName(event.type, name: event.name)
        let problems = judge.problems(of: name, event.body)
        guard let first = problems.first else { return }
        let planned = first.kind == .event ? nil : name
        for day in [day, nil] { count(PlanCounter.name(day, planned), batch) }
        for problem in problems where problem.kind == .value {
            count(PlanCounter.name(day, name, key: problem.key), batch)
        }
    }

    private func isNew(_ kind: RowIdentity.Kind, _ id: String, _ batch: IncomingBatch) -> Bool {
        place(of: RowIdentity(kind: kind, source: batch.source, id: id)) == nil
    }

    private func place(of identity: RowIdentity) -> MessageLocation? { noted[identity] ?? known[identity] }

    private mutating func add(_ event: IncomingEvent, _ identity: RowIdentity, _ batch: IncomingBatch, _ day: Day) {
        add(identity, day, batch.receivedAt, .event(event))
        guard looksForTraces || !tracesOfBlock.isEmpty else { return }
        let identity = RowIdentity(kind: .trace, source: batch.source, id: event.messageId)
        guard let row = block.rows.last else { return }
        if let index = tracesOfBlock[identity], case .trace(let trace, nil) = block.rows[index].content {
            if block.rows[index].day == day {
                block.rows[index].content = .trace(trace, eventAt: batch.receivedAt)
            } else {
                add(trace, of: row)
            }
        } else if noted[identity] == nil, let place = known[identity] {
            strayTraces.append(StrayTrace(event: row, messageId: event.messageId, day: place.day))
        }
    }

    /// A trace lies beside its event; when that is not there yet, where one of the same message lies already.
    private mutating func add(_ trace: IncomingTrace, _ batch: IncomingBatch) {
        let identity = RowIdentity(kind: .trace, source: batch.source, id: trace.messageId)
        let event = RowIdentity(kind: .event, source: batch.source, id: trace.messageId)
        let eventPlace = place(of: event)
        let day = (eventPlace ?? place(of: identity))?.day ?? Day(milliseconds: batch.receivedAt)
        if eventPlace == nil { tracesOfBlock[identity] = block.rows.count }
        add(identity, day, batch.receivedAt, .trace(trace, eventAt: eventPlace?.receivedAt))
    }

    private mutating func add(
        _ identity: RowIdentity, _ day: Day, _ receivedAt: Int64, _ content: EventBlock.Content
    ) {
        let number: Int64
        if identity.kind == .rejected {
            numbers.rejected += 1
            number = numbers.rejected
        } else {
            numbers.stream += 1
            number = numbers.stream
        }
        noted[identity] = MessageLocation(day: day, receivedAt: receivedAt)
        block.rows.append(
            EventBlock.Row(identity: identity, number: number, day: day, receivedAt: receivedAt, content: content))
    }

    private mutating func count(_ name: String, _ batch: IncomingBatch, _ amount: Int = 1) {
        guard amount > 0 else { return }
        counts[Counter(source: batch.source, name: name), default: 0] += amount
    }
}
