import TributaryJSON

/// The parts of an ingest body that the acknowledgement needs. The scan checks the whole body and builds no values.
package struct RequestScan {
    package let bytes: UnsafeBufferPointer<UInt8>
    /// The object around the items; nil when the body is the array of items itself.
    let envelope: ScannedObject?
    /// The places of the items in the text.
    package private(set) var items: [Range<Int>] = []
    /// The items as objects, with the members that were asked for; nil for an item that is no object. Empty when no
    /// members were asked for, and for forms without a list of items.
    package private(set) var objects: [ScannedObject?] = []
    /// Whether a body that holds items holds them as an array.
    package private(set) var hasItems = true
    /// Whether something is nested deeper than an item may be, so that it has to be left out.
    private(set) var hasDeeper = false

    /// - Parameter members: the names of the members to look for in the items of a list.
    /// - Throws: `Refusal` with the place where the text is not JSON, or when it is not an object.
    package init(
        _ bytes: UnsafeBufferPointer<UInt8>, _ form: RequestForm, members: [StaticString] = []
    ) throws(Refusal) {
        self.bytes = bytes
        guard form != .signals else {
            envelope = nil
            try scanItems()
            return
        }
        do {
            var envelope: ScannedObject?
            var list = ItemList(members: members)
            var scanner = JSONScanner(bytes, depth: form.depth, passesDeeper: true)
            try scanner.document { scanner throws(JSONError) in
                guard scanner.peek == UInt8(ascii: "{") else {
                    _ = try scanner.value()
                    return
                }
                guard let key = form.itemsKey else {
                    envelope = try ScannedObject(&scanner, Self.names(form))
                    return
                }
                envelope = try ScannedObject(&scanner, Self.names(form), member: key) { scanner throws(JSONError) in
                    try list.pass(&scanner)
                }
            }
            hasDeeper = scanner.hasDeeper
            guard let envelope else { throw Refusal.invalid("the body must be a JSON object") }
            self.envelope = envelope
            guard let key = form.itemsKey else {
                items = [envelope.range]
                return
            }
            (items, objects) = (list.items, list.objects)
            hasItems = envelope[key].map { bytes[$0.lowerBound] == UInt8(ascii: "[") } ?? false
        } catch let error as JSONError {
            throw .invalid("the body is not JSON: \(error)")
        } catch let error as Refusal {
            throw error
        } catch {
            throw .invalid("the body cannot be read")
        }
    }

    /// For a body that is the array of items.
    private mutating func scanItems() throws(Refusal) {
        var items: [Range<Int>] = []
        var isArray = false
        do {
            var scanner = JSONScanner(bytes, depth: RequestForm.signals.depth, passesDeeper: true)
            try scanner.document { scanner throws(JSONError) in
                guard scanner.peek == UInt8(ascii: "[") else {
                    _ = try scanner.value()
                    return
                }
                isArray = true
                try scanner.array { scanner throws(JSONError) in items.append(try scanner.value()) }
            }
            hasDeeper = scanner.hasDeeper
        } catch {
            throw .invalid("the body is not JSON: \(error)")
        }
        guard isArray else { throw .invalid("the body must be a JSON array of signals") }
        self.items = items
    }

    package var writeKey: String? { envelope?.text("writeKey") }

    /// When the client says that it sent the body.
    package var sentAt: Int64? { envelope?.json("sentAt").flatMap(EventTime.milliseconds) }

    private static func names(_ form: RequestForm) -> [StaticString] {
        let common: [StaticString] = ["writeKey", "sentAt", "context", "integrations"]
        return form.itemsKey.map { common + [$0] } ?? common
    }
}

/// The items of a list, found while it is passed.
private struct ItemList {
    let members: [StaticString]
    private(set) var items: [Range<Int>] = []
    private(set) var objects: [ScannedObject?] = []

    init(members: [StaticString]) { self.members = members }

    /// Passes a value; one that is no array has no items.
    mutating func pass(_ scanner: inout JSONScanner) throws(JSONError) {
        (items, objects) = ([], [])
        guard scanner.peek == UInt8(ascii: "[") else {
            try scanner.value()
            return
        }
        try scanner.array { scanner throws(JSONError) in try passItem(&scanner) }
    }

    private mutating func passItem(_ scanner: inout JSONScanner) throws(JSONError) {
        guard !members.isEmpty else { return items.append(try scanner.value()) }
        guard scanner.peek == UInt8(ascii: "{") else {
            items.append(try scanner.value())
            objects.append(nil)
            return
        }
        let object = try ScannedObject(&scanner, members)
        items.append(object.range)
        objects.append(object)
    }
}

extension RequestScan {
    /// The members of events that `subjects` needs.
    package static let subjectMembers: [StaticString] = ["userId", "anonymousId"]

    /// The users and devices that the events of a batch name, when it was scanned for `subjectMembers`.
    package var subjects: Set<TraceSubject> {
        var subjects: Set<TraceSubject> = []
        for case let event? in objects {
            if let id = event.text("userId") { subjects.insert(.user(id)) }
            if let id = event.text("anonymousId") { subjects.insert(.anonymous(id)) }
        }
        return subjects
    }
}

extension RequestScan {
    /// The items that may be stored, by their places in the list.
    /// - Parameters:
    ///   - uploadedAt: when the client began the upload, by its clock; nil when it did not say.
    package func allowed(by list: SuppressionList, uploadedAt: Int64?, receivedAt: Int64) -> [Int] {
        var check = SuppressionCheck(list)
        return items.indices.filter { !isRefused($0, &check, uploadedAt: uploadedAt, receivedAt: receivedAt) }
    }

    private func isRefused(
        _ index: Int, _ check: inout SuppressionCheck, uploadedAt: Int64?, receivedAt: Int64
    ) -> Bool {
        let text = Array(bytes[items[index]])
        // Values that are nested too deeply are not stored.
        let names = SuppressionCheck.names(
            hasDeeper ? NestingCut.cut(text, below: JSONLimits.eventDepth) : text)
        // An item that is not an object names no user, and the indexer rejects it later.
        guard let item = item(index, ["userId", "anonymousId", "trackedAt"] + EventTimes.members) else { return false }
        let times = EventTimes(
            item, sentAt: uploadedAt ?? sentAt, sentAtIsFromUpload: uploadedAt != nil, receivedAt: receivedAt)
        // A trace has a time of its own.
        let trackedAt = item.json("trackedAt").flatMap(EventTime.milliseconds)
        func id(_ key: StaticString) -> String? {
            let text = item.text(key) ?? item.json(key)?.numberValue?.description
            return text?.isBlank == false ? text : nil
        }
        return check.refuses(
            userId: id("userId"), anonymousId: id("anonymousId"), names: names,
            at: times.originalTimestamp == nil ? trackedAt ?? times.timestamp : times.timestamp)
    }
}
