import TributaryJSON

/// Turns an acknowledged request into rows. The function is pure: repeating it after a crash gives the same rows.
package struct RequestIndexing {
    /// - Parameter isEnding: asked between items; true ends the work.
    /// - Returns: nil when the work was ended before it was done.
    /// - Throws: `Refusal` that says what is wrong with the body. The body was checked before the acknowledgement, so
    ///   this is not expected.
    package static func batch(
        _ request: AcceptedRequest, at place: JournalOffset, isEnding: () -> Bool
    ) throws(Refusal) -> IncomingBatch? {
        let plain = try RequestText.plain(request.body, isCompressed: request.isCompressed)
        switch try outcome(plain, request, place, isEnding) {
        case .batch(let batch): return batch
        case .ended: return nil
        case .hasDeeper: break
        }
        // A value that is nested too deeply costs its event only that value.
        let cut = NestingCut.cut(plain, below: request.form.depth)
        switch try outcome(cut, request, place, isEnding) {
        case .batch(let batch): return batch
        case .ended: return nil
        case .hasDeeper: return IncomingBatch(source: request.source, receivedAt: request.receivedAt)
        }
    }

    private enum Outcome {
        case batch(IncomingBatch)
        /// The work was ended before it was done.
        case ended
        /// Something in the body is nested too deeply.
        case hasDeeper
    }

    private static func outcome(
        _ plain: [UInt8], _ request: AcceptedRequest, _ place: JournalOffset, _ isEnding: () -> Bool
    ) throws(Refusal) -> Outcome {
        try plain.withUnsafeBufferPointer { bytes throws(Refusal) in
            let scan = try RequestScan(bytes, request.form, members: request.form == .batch ? EventReader.names : [])
            guard !scan.hasDeeper else { return .hasDeeper }
            var indexing = RequestIndexing(scan, request, place)
            for index in scan.items.indices {
                if index % Limits.itemsBetweenLooks == 0, isEnding() { return .ended }
                indexing.read(index)
            }
            return .batch(indexing.batch)
        }
    }

    /// The same without an early end.
    package static func batch(_ request: AcceptedRequest, at place: JournalOffset) throws(Refusal) -> IncomingBatch {
        try batch(request, at: place) { false } ?? IncomingBatch(source: request.source, receivedAt: request.receivedAt)
    }

    private let scan: RequestScan
    private let request: AcceptedRequest
    private let place: JournalOffset
    private var reader: EventReader
    private let signals: SignalReader
    private var budget: IndexingBudget
    private var batch: IncomingBatch

    private init(_ scan: RequestScan, _ request: AcceptedRequest, _ place: JournalOffset) {
        (self.scan, self.request, self.place) = (scan, request, place)
        reader = Self.reader(scan, request)
        signals = SignalReader(receivedAt: request.receivedAt)
        budget = IndexingBudget(bytes: scan.bytes.count)
        batch = IncomingBatch(source: request.source, receivedAt: request.receivedAt)
        batch.events.reserveCapacity(scan.items.count)
        batch.upload = UploadTime(sentAt: reader.sentAt, isFromUpload: reader.sentAtIsFromUpload)
    }

    private mutating func read(_ index: Int) {
        do throws(Rejection) {
            guard budget.allowsMore else {
                throw Rejection(
                    .tooCostly,
                    "the events before this one took all the work that a request of its size may cost: "
                        + "a batch with less in `context` and `integrations`, or with fewer events, is stored")
            }
            try add(index)
        } catch {
            let rejected = rejected(index, error)
            batch.rejected.append(rejected)
            budget.take(rejected.body.count)
        }
    }

    /// Adds an item to the batch.
    private mutating func add(_ index: Int) throws(Rejection) {
        switch request.form {
        case .traces:
            let trace = try TraceReader.read(try json(index, "trace"))
            batch.traces.append(trace)
            budget.take(trace.body.count)
        case .signals:
            let signal = try signals.read(json(index, "signal"), madeId: place.messageId(index))
            batch.signals.append(signal)
            budget.take(signal.body.count)
        case .batch, .single:
            let event = try event(index)
            if let signal = signals.read(event) { batch.signals.append(signal) } else { batch.events.append(event) }
            budget.take(event.body.count, users: event.shared.ids.count)
        }
    }

    private mutating func event(_ index: Int) throws(Rejection) -> IncomingEvent {
        reader.country = request.countries?[index]
        // An item that the scan did not read as an object is read from its text.
        guard scan.objects.indices.contains(index), let object = scan.objects[index] else {
            return try reader.read(scan.items[index], of: scan.bytes, madeId: place.messageId(index))
        }
        return try reader.read(object, madeId: place.messageId(index))
    }

    private func json(_ index: Int, _ what: String) throws(Rejection) -> JSON {
        guard let json = ScannedObject.json(scan.items[index], scan.bytes) else {
            throw Rejection(.notAnObject, "the \(what) cannot be read")
        }
        return json
    }

    /// An item that is kept as it arrived, with the reason.
    private func rejected(_ index: Int, _ rejection: Rejection) -> RejectedEvent {
        let item = scan.items[index]
        let isEvent = request.form != .traces && request.form != .signals
        return RejectedEvent(
            index: index, messageId: isEvent ? EventReader.messageId(of: item, in: scan.bytes) : nil,
            madeId: place.messageId(index), rejection: rejection, body: text(item))
    }

    /// The text of a rejected item as it arrived, without the addresses that must not be stored.
    private func text(_ item: Range<Int>) -> [UInt8] {
        let text = CompactText.of(UnsafeBufferPointer(rebasing: scan.bytes[item]))
        return request.address?.applied(to: text) ?? text
    }

    private static func reader(_ scan: RequestScan, _ request: AcceptedRequest) -> EventReader {
        var reader = EventReader(receivedAt: request.receivedAt)
        if case .single(let type) = request.form { reader.type = type } else { reader.shared = shared(scan) }
        if request.asksForPrivacy { reader.shared = askingForPrivacy(reader.shared) }
        reader.sentAt = request.uploadedAt ?? scan.sentAt
        reader.sentAtIsFromUpload = request.uploadedAt != nil
        reader.address = request.address
        return reader
    }

    /// The members that hold for every event that does not say otherwise.
    private static func shared(_ scan: RequestScan) -> [SharedMembers] {
        [("context" as StaticString), "integrations"].compactMap { name in
            scan.envelope?[name].flatMap { SharedMembers(name, $0, in: scan.bytes) }
        }
    }

    /// A header speaks for all events of a request, so each event that does not say the same itself gets it.
    private static func askingForPrivacy(_ shared: [SharedMembers]) -> [SharedMembers] {
        let isContext = { (members: SharedMembers) in members.name.description == "context" }
        let context = shared.first(where: isContext) ?? SharedMembers("context")
        return shared.filter { !isContext($0) } + [context.filling("globalPrivacyControl", with: true)]
    }
}
