import TributaryJSON

/// Turns an acknowledged request into rows. The function is pure: repeating it after a crash gives the same rows.
enum RequestIndexing {
    /// - Throws: `APIError` that says what is wrong with the body. The body was checked before the acknowledgement, so
    ///   this is not expected.
    static func batch(_ request: AcceptedRequest, at place: JournalPlace) throws(APIError) -> IncomingBatch {
        let plain = try IngestBody.plain(request.body, isCompressed: request.isCompressed)
        if let batch = try batch(plain, request, place) { return batch }
        // A value that is nested too deeply costs its event only that value.
        let cut = NestingCut.cut(plain, below: request.form.depth)
        return try batch(cut, request, place) ?? IncomingBatch(source: request.source, receivedAt: request.receivedAt)
    }

    /// - Returns: nil when something in the body is nested too deeply.
    private static func batch(
        _ plain: [UInt8], _ request: AcceptedRequest, _ place: JournalPlace
    ) throws(APIError) -> IncomingBatch? {
        try plain.withUnsafeBufferPointer { bytes throws(APIError) in
            let scan = try RequestScan(bytes, request.form, members: request.form == .batch ? EventReader.names : [])
            guard !scan.hasDeeper else { return nil }
            switch request.form {
            case .traces: return traces(scan, request, place)
            case .signals: return signals(scan, request, place)
            case .batch, .single: return events(scan, request, place)
            }
        }
    }

    private static func events(_ scan: RequestScan, _ request: AcceptedRequest, _ place: JournalPlace) -> IncomingBatch
    {
        let bytes = scan.bytes
        let reader = reader(scan, request)
        let signals = SignalReader(receivedAt: request.receivedAt)
        var batch = IncomingBatch(source: request.source, receivedAt: request.receivedAt)
        batch.events.reserveCapacity(scan.items.count)
        for (index, item) in scan.items.enumerated() {
            do throws(Rejection) {
                // An item that the scan did not read as an object is read from its text.
                let event =
                    if scan.objects.indices.contains(index), let object = scan.objects[index] {
                        try reader.read(object, madeId: place.messageId(index))
                    } else {
                        try reader.read(item, of: bytes, madeId: place.messageId(index))
                    }
                if let signal = signals.read(event) { batch.signals.append(signal) } else { batch.events.append(event) }
            } catch {
                let slice = UnsafeBufferPointer(rebasing: bytes[item])
                batch.rejected.append(
                    RejectedEvent(
                        index: index, messageId: EventReader.messageId(of: item, in: bytes),
                        madeId: place.messageId(index), rejection: error, body: text(slice, request)))
            }
        }
        return batch
    }

    /// The text of a rejected item as it arrived, without the addresses that must not be stored.
    private static func text(_ slice: UnsafeBufferPointer<UInt8>, _ request: AcceptedRequest) -> [UInt8] {
        let text = CompactText.of(slice)
        return request.address?.applied(to: text) ?? text
    }

    private static func reader(_ scan: RequestScan, _ request: AcceptedRequest) -> EventReader {
        var reader = EventReader(receivedAt: request.receivedAt)
        if case .single(let type) = request.form { reader.type = type } else { reader.shared = scan.shared }
        if request.asksForPrivacy { reader.shared = askingForPrivacy(reader.shared) }
        reader.sentAt = request.uploadedAt ?? scan.sentAt
        reader.sentAtIsFromUpload = request.uploadedAt != nil
        reader.address = request.address
        return reader
    }

    /// What a header says of all events of a request is kept in each, where an event does not say it itself.
    private static func askingForPrivacy(
        _ shared: [(key: String, value: JSONObject)]
    ) -> [(key: String, value: JSONObject)] {
        var context = shared.first { $0.key == "context" }?.value ?? JSONObject()
        if context["globalPrivacyControl"] == nil { context["globalPrivacyControl"] = true }
        return shared.filter { $0.key != "context" } + [("context", context)]
    }

    private static func signals(
        _ scan: RequestScan, _ request: AcceptedRequest, _ place: JournalPlace
    ) -> IncomingBatch {
        let reader = SignalReader(receivedAt: request.receivedAt)
        var batch = IncomingBatch(source: request.source, receivedAt: request.receivedAt)
        for (index, item) in scan.items.enumerated() {
            do throws(Rejection) {
                guard let signal = ScannedObject.json(item, scan.bytes) else {
                    throw Rejection(.notAnObject, "the signal cannot be read")
                }
                batch.signals.append(try reader.read(signal, madeId: place.messageId(index)))
            } catch {
                batch.rejected.append(rejected(item, of: scan, index, place, error))
            }
        }
        return batch
    }

    private static func rejected(
        _ item: Range<Int>, of scan: RequestScan, _ index: Int, _ place: JournalPlace, _ rejection: Rejection
    ) -> RejectedEvent {
        let slice = UnsafeBufferPointer(rebasing: scan.bytes[item])
        return RejectedEvent(
            index: index, messageId: nil, madeId: place.messageId(index), rejection: rejection,
            body: CompactText.of(slice))
    }

    private static func traces(
        _ scan: RequestScan, _ request: AcceptedRequest, _ place: JournalPlace
    ) -> IncomingBatch {
        let bytes = scan.bytes
        var batch = IncomingBatch(source: request.source, receivedAt: request.receivedAt)
        for (index, item) in scan.items.enumerated() {
            do throws(Rejection) {
                guard let trace = ScannedObject.json(item, bytes) else {
                    throw Rejection(.notAnObject, "the trace cannot be read")
                }
                batch.traces.append(try TraceReader.read(trace))
            } catch {
                batch.rejected.append(rejected(item, of: scan, index, place, error))
            }
        }
        return batch
    }
}
