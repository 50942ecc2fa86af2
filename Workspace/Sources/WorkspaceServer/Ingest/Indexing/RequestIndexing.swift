import TributaryJSON

/// Turns an acknowledged request into rows: pure, and the same each time, so that a crash in between changes nothing.
enum RequestIndexing {
    /// - Throws: what is wrong with a body, which was looked at before it was acknowledged.
    static func batch(_ request: AcceptedRequest, at place: JournalPlace) throws(APIError) -> IncomingBatch {
        let plain = try IngestBody.plain(request.body, isCompressed: request.isCompressed)
        return try plain.withUnsafeBufferPointer { bytes throws(APIError) in
            let scan = try RequestScan(bytes, request.form)
            return request.form == .traces
                ? traces(scan, request) : events(scan, request, place)
        }
    }

    private static func events(_ scan: RequestScan, _ request: AcceptedRequest, _ place: JournalPlace) -> IncomingBatch
    {
        let bytes = scan.envelope.bytes
        let reader = reader(scan, request)
        var batch = IncomingBatch(source: request.source, receivedAt: request.receivedAt)
        batch.events.reserveCapacity(scan.items.count)
        for (index, item) in scan.items.enumerated() {
            do throws(Rejection) {
                batch.events.append(try reader.read(item, of: bytes, madeId: place.messageId(index)))
            } catch {
                let slice = UnsafeBufferPointer(rebasing: bytes[item])
                batch.rejected.append(
                    RejectedEvent(
                        index: index, messageId: EventReader.messageId(of: item, in: bytes), rejection: error,
                        body: CompactText.of(slice)))
            }
        }
        return batch
    }

    private static func reader(_ scan: RequestScan, _ request: AcceptedRequest) -> EventReader {
        var reader = EventReader(receivedAt: request.receivedAt)
        if case .single(let type) = request.form { reader.type = type } else { reader.shared = scan.shared }
        reader.sentAt = request.uploadedAt ?? scan.sentAt
        reader.sentAtIsFromUpload = request.uploadedAt != nil
        return reader
    }

    private static func traces(_ scan: RequestScan, _ request: AcceptedRequest) -> IncomingBatch {
        let bytes = scan.envelope.bytes
        var batch = IncomingBatch(source: request.source, receivedAt: request.receivedAt)
        for (index, item) in scan.items.enumerated() {
            do throws(Rejection) {
                guard let trace = ScannedObject.json(item, bytes) else {
                    throw Rejection(.notAnObject, "the trace cannot be read")
                }
                batch.traces.append(try TraceReader.read(trace))
            } catch {
                let slice = UnsafeBufferPointer(rebasing: bytes[item])
                batch.rejected.append(
                    RejectedEvent(index: index, messageId: nil, rejection: error, body: CompactText.of(slice)))
            }
        }
        return batch
    }
}
