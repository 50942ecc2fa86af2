import TributaryJSON

/// Reads the events of one request: pure, so every rule can be tested without a server.
///
/// The text of an event stays as it arrived. The reader looks only at members that have a column, and changes the text
/// only when something is missing.
package struct EventReader {
    /// The call that the path names; nil when each event names its own.
    package var type: EventType?
    /// `context` and `integrations` of the whole batch, for events that do not say otherwise.
    package var shared: [SharedMembers] = []
    package var sentAt: Int64?
    var sentAtIsFromUpload = false
    /// The rule for the address of the sender; nil keeps the address in the event.
    package var address: AddressRule?
    /// The country that the address of the event names; nil for none.
    package var country: CountryCode?
    package let receivedAt: Int64

    /// The members that the reader looks at.
    package static let names: [StaticString] =
        [
            "type", "messageId", "userId", "anonymousId", "event", "name", "groupId", "previousId", "context",
            "integrations",
        ] + EventTimes.members

    /// Checks one event and takes out the values that have a column of their own.
    /// - Parameters:
    ///   - item: where the event stands in a valid JSON text.
    ///   - madeId: the message id of an event that came without one; the same each time that the event is read.
    package func read(
        _ item: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>, madeId: @autoclosure () -> String
    ) throws(Rejection) -> IncomingEvent {
        try read(Self.object(item, bytes), madeId: madeId())
    }

    /// Does the same for an event after its members were found.
    /// - Parameter object: with `names`.
    package func read(_ object: ScannedObject, madeId: @autoclosure () -> String) throws(Rejection) -> IncomingEvent {
        let type = try eventType(object)
        let ownId = try messageId(object)
        let messageId = ownId ?? madeId()
        let userId = try identifier("userId", object)
        let anonymousId = try identifier("anonymousId", object)
        guard userId != nil || anonymousId != nil else {
            throw Rejection(.noUser, "an event needs a userId or an anonymousId")
        }
        let name = try name(of: type, object)
        let (body, shared) = try text(object, type, madeId: ownId == nil ? messageId : nil)
        let times = EventTimes(
            object, sentAt: sentAt, sentAtIsFromUpload: sentAtIsFromUpload, receivedAt: receivedAt)
        return IncomingEvent(
            messageId: messageId, type: type, name: name, userId: userId, anonymousId: anonymousId, times: times,
            body: body, shared: shared,
            hasUnreadableTime: times.originalTimestamp == nil && TimeProblem.isIn(object))
    }

    /// Reads an event again that scripts have changed or made.
    /// - Throws: `Rejection`, when the text is no event any more.
    package static func again(
        _ text: [UInt8], receivedAt: Int64, _ upload: UploadTime
    ) throws(Rejection) -> IncomingEvent {
        var reader = EventReader(receivedAt: receivedAt)
        (reader.sentAt, reader.sentAtIsFromUpload) = (upload.sentAt, upload.isFromUpload)
        return try text.withUnsafeBufferPointer { bytes throws(Rejection) in
            // Scripts keep the id of an event, and events that they make have one.
            try reader.read(0..<bytes.count, of: bytes, madeId: "")
        }
    }

    /// The message id of an item that was rejected, if it has a usable one.
    package static func messageId(of item: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> String? {
        // An item that cannot be read has no id; it is rejected for that.
        guard let object = try? object(item, bytes), let text = object.text("messageId"),
            !text.isBlank, text.count <= Limits.messageIdLength
        else { return nil }
        return text
    }

    private static func object(
        _ item: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(Rejection) -> ScannedObject {
        guard bytes[item.lowerBound] == UInt8(ascii: "{") else {
            throw Rejection(.notAnObject, "an event must be a JSON object")
        }
        var scanner = JSONScanner(bytes, at: item.lowerBound)
        do {
            return try ScannedObject(&scanner, names)
        } catch {
            throw Rejection(.notAnObject, "the event cannot be read: \(error)")
        }
    }

    // MARK: Members

    private func eventType(_ object: ScannedObject) throws(Rejection) -> EventType {
        if let type { return type }
        guard let value = object.value("type") else { throw Rejection(.unknownType, "the event has no type") }
        guard let type = object.text("type").flatMap(EventType.init(rawValue:)) else {
            throw Rejection(.unknownType, "the type is \(excerpt(value, object)), which is no call of the protocol")
        }
        return type
    }

    private func messageId(_ object: ScannedObject) throws(Rejection) -> String? {
        guard object.value("messageId") != nil else { return nil }
        guard let messageId = object.text("messageId"), !messageId.isBlank, messageId.count <= Limits.messageIdLength
        else {
            throw Rejection(
                .badMessageId,
                "a messageId is a text of 1 to \(Limits.messageIdLength) characters, not only white space")
        }
        return messageId
    }

    private func name(of type: EventType, _ object: ScannedObject) throws(Rejection) -> String? {
        switch type {
        case .track:
            guard let name = try identifier("event", object) else {
                throw Rejection(.noEventName, "a track needs the name of the event as a text")
            }
            return name
        case .page, .screen:
            return try identifier("name", object)
        case .group:
            guard try identifier("groupId", object) != nil else {
                throw Rejection(.noGroup, "a group needs a groupId")
            }
            return nil
        case .alias:
            guard try identifier("previousId", object) != nil, try identifier("userId", object) != nil else {
                throw Rejection(.noAlias, "an alias needs a previousId and a userId")
            }
            return nil
        case .identify:
            return nil
        }
    }

    /// A text, or a number as it is spelled; nil when it is missing, null or blank. A
    /// blank text has only white space.
    private func identifier(_ key: StaticString, _ object: ScannedObject) throws(Rejection) -> String? {
        guard object.value(key) != nil else { return nil }
        guard let text = object.text(key) ?? object.json(key)?.numberValue?.description else {
            throw Rejection(.badField, "\(key) must be a text")
        }
        guard text.utf8.count <= Limits.identifierLength else {
            throw Rejection(.badField, "\(key) is longer than \(Limits.identifierLength) bytes")
        }
        return text.isBlank ? nil : text
    }

    private func excerpt(_ value: Range<Int>, _ object: ScannedObject) -> String {
        String(decoding: object.bytes[value].prefix(60), as: UTF8.self)
    }

    // MARK: Text

    /// The event as it is kept: one line, with a type and a message id.
    private func text(
        _ object: ScannedObject, _ type: EventType, madeId: String?
    ) throws(Rejection) -> (bytes: [UInt8], shared: SharedText) {
        let isTyped = self.type == nil || object.text("type") == type.rawValue
        let slice = UnsafeBufferPointer(rebasing: object.bytes[object.range])
        let isChanged =
            !isTyped || madeId != nil || !shared.isEmpty || country != nil || address?.concerns(slice) == true
        let own = object.hasSpace ? CompactText.of(slice) : nil
        guard isChanged else {
            try check(own?.count ?? slice.count, isShared: false)
            return (own ?? Array(slice), SharedText())
        }
        guard let own else { return try completed(object, isTyped ? nil : type, madeId) }
        return try own.withUnsafeBufferPointer { bytes throws(Rejection) in
            try completed(Self.object(0..<bytes.count, bytes), isTyped ? nil : type, madeId)
        }
    }

    /// The event with its missing members. An event that would be too large is refused before it is written: with the
    /// members of its batch, many small events could take much time otherwise.
    private func completed(
        _ object: ScannedObject, _ type: EventType?, _ madeId: String?
    ) throws(Rejection) -> (bytes: [UInt8], shared: SharedText) {
        try check(object.range.count, isShared: false)
        var event = CompletedEvent(
            object: object, type: type, messageId: madeId, shared: shared, address: address, country: country)
        var pieces = event.pieces()
        if country != nil, pieces.byteCount > Limits.eventBytes {
            // The country is no reason to reject an event.
            event.country = nil
            pieces = event.pieces()
        }
        try check(pieces.byteCount, isShared: !shared.isEmpty)
        return pieces.written()
    }

    private func check(_ count: Int, isShared: Bool) throws(Rejection) {
        guard count > Limits.eventBytes else { return }
        let what = isShared ? "an event has \(count) bytes with what its batch adds" : "an event has \(count) bytes"
        throw Rejection(.tooLarge, "\(what), at most \(Limits.eventBytes) are taken")
    }
}
