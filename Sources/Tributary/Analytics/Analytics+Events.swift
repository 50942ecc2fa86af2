package import TributaryJSON

extension Analytics {
    // MARK: Track

    /// Tracks an action of the user.
    public func track(name: String) { track(name, nil, nil, []) }

    /// Tracks an action of the user, without properties.
    public func track(name: String, options: EventOptions? = nil, enrichments: [EnrichmentClosure]? = nil) {
        track(name, nil, options, enrichments ?? [])
    }

    /// Tracks an action of the user, with properties.
    ///
    /// ```swift
    /// analytics.track(name: "Song Played", properties: ["title": "Blue", "seconds": 184])
    /// let options = EventOptions(integrations: ["Amplitude": false])    // this event is not for Amplitude
    /// analytics.track(name: "Song Skipped", properties: ["title": "Blue"], options: options)
    /// ```
    public func track(
        name: String, properties: [String: Any]?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        track(name, json(properties, of: name), options, enrichments ?? [])
    }

    /// Tracks an action of the user, without a label. With `AnalyticsCompat` imported as well, its function of this form
    /// is meant, which also takes options.
    @_disfavoredOverload
    public func track(_ name: String, properties: [String: Any]? = nil) { track(name: name, properties: properties) }

    /// Tracks an action of the user, with properties of a type.
    ///
    /// ```swift
    /// struct Order: Encodable {
    ///     let total: Decimal
    ///     let currency: String
    /// }
    /// analytics.track(name: "Order Completed", properties: Order(total: 42, currency: "EUR"))
    /// ```
    public func track<Properties: Encodable>(
        name: String, properties: Properties?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        track(name, json(properties, of: name), options, enrichments ?? [])
    }

    // MARK: Identify

    /// Identifies the user.
    public func identify(userId: String) { identify(userId, nil, nil, []) }

    /// Identifies the user, without traits.
    public func identify(userId: String, options: EventOptions? = nil, enrichments: [EnrichmentClosure]? = nil) {
        identify(userId, nil, options, enrichments ?? [])
    }

    /// Identifies the user by an id and traits. New traits are merged into the known ones.
    ///
    /// ```swift
    /// analytics.identify(userId: "u-1", traits: ["plan": "free", "seats": 1])
    /// analytics.identify(traits: ["plan": "pro"])    // the user still has one seat
    /// ```
    public func identify(
        userId: String, traits: [String: Any]?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        identify(userId, json(traits, of: "identify"), options, enrichments ?? [])
    }

    /// Identifies the user by an id and traits of a type. New traits are merged into the known ones.
    public func identify<Traits: Encodable>(
        userId: String, traits: Traits?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        identify(userId, json(traits, of: "identify"), options, enrichments ?? [])
    }

    /// Adds traits of the present user. They are merged into the known ones.
    public func identify(
        traits: [String: Any]?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        identify(nil, json(traits, of: "identify"), options, enrichments ?? [])
    }

    /// Adds traits of the present user. They are merged into the known ones.
    public func identify<Traits: Encodable>(
        traits: Traits?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        identify(nil, json(traits, of: "identify"), options, enrichments ?? [])
    }

    // MARK: Screen

    /// Tracks a screen that the user sees.
    public func screen(title: String, category: String? = nil) {
        screen(title, category, nil, nil, [])
    }

    /// Tracks a screen that the user sees, without properties.
    public func screen(
        title: String, category: String? = nil, options: EventOptions? = nil, enrichments: [EnrichmentClosure]? = nil
    ) {
        screen(title, category, nil, options, enrichments ?? [])
    }

    /// Tracks a screen that the user sees, with its properties.
    public func screen(
        title: String, category: String? = nil, properties: [String: Any]?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        screen(title, category, json(properties, of: title), options, enrichments ?? [])
    }

    /// Tracks a screen that the user sees, with its properties.
    public func screen<Properties: Encodable>(
        title: String, category: String? = nil, properties: Properties?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        screen(title, category, json(properties, of: title), options, enrichments ?? [])
    }

    // MARK: Page

    /// Tracks a page that the user sees. For apps that show pages of a site.
    public func page(title: String, category: String? = nil) { page(title, category, nil, nil, []) }

    /// Tracks a page that the user sees, without properties.
    public func page(
        title: String, category: String? = nil, options: EventOptions? = nil, enrichments: [EnrichmentClosure]? = nil
    ) {
        page(title, category, nil, options, enrichments ?? [])
    }

    /// Tracks a page that the user sees, with its properties. Plugins see it as a screen event of type `page`.
    public func page(
        title: String, category: String? = nil, properties: [String: Any]?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        page(title, category, json(properties, of: title), options, enrichments ?? [])
    }

    /// Tracks a page that the user sees, with its properties. Plugins see it as a screen event of type `page`.
    public func page<Properties: Encodable>(
        title: String, category: String? = nil, properties: Properties?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        page(title, category, json(properties, of: title), options, enrichments ?? [])
    }

    // MARK: Group

    /// Associates the user with a group.
    public func group(groupId: String) { group(groupId, nil, nil, []) }

    /// Associates the user with a group, without traits.
    public func group(groupId: String, options: EventOptions? = nil, enrichments: [EnrichmentClosure]? = nil) {
        group(groupId, nil, options, enrichments ?? [])
    }

    /// Associates the user with a group, with traits of the group.
    public func group(
        groupId: String, traits: [String: Any]?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        group(groupId, json(traits, of: "group"), options, enrichments ?? [])
    }

    /// Associates the user with a group, with traits of the group.
    public func group<Traits: Encodable>(
        groupId: String, traits: Traits?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        group(groupId, json(traits, of: "group"), options, enrichments ?? [])
    }

    // MARK: Alias

    /// Gives the user a new id. The event tells the server that both ids are the same user.
    public func alias(
        newId: String, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        alias(newId, options, enrichments ?? [])
    }

    // MARK: Recorded events

    /// Sends an event that already has its ids and its time through the timeline, such as an event that was recorded
    /// elsewhere. The call adds only a `messageId` and a `timestamp` that are missing. The event's `enrichments` run
    /// like those of a call.
    public func process(event: BaseEvent) {
        guard acceptsEvents, isNamed(event.json) else { return }
        var json = event.json
        let stamp = stamp
        if json["messageId"]?.stringValue == nil { json["messageId"] = .string(stamp.messageId) }
        if json["timestamp"] == nil { json["timestamp"] = .string(ISO8601.string(milliseconds: stamp.milliseconds)) }
        let (complete, closures) = (json, event.enrichments ?? [])
        let shown = identity.current.anonymousId
        if holds(.init(event: { $0.processNow(complete, closures, shown, stamp) })) { return }
        store(json, closures: closures, stamp)
    }

    /// - Parameter shown: the anonymous id that the client showed while the real id could not be read.
    private func processNow(_ event: JSONObject, _ closures: [EnrichmentClosure], _ shown: String, _ stamp: CallStamp) {
        guard acceptsEvents else { return }
        var event = event
        if event["anonymousId"]?.stringValue == shown { event["anonymousId"] = .string(identity.current.anonymousId) }
        store(event, closures: closures, stamp)
    }

    /// Converts to JSON. Values without a JSON form are reported and left out.
    private func json(_ dictionary: [String: Any]?, of call: String) -> JSON? {
        guard let dictionary else { return nil }
        var leftOut: [LeftOutValue] = []
        let json = JSON.converted(dictionary, nonFinite: values.nonFiniteNumbers, leftOut: &leftOut)
        if !leftOut.isEmpty { report(.leftOut(leftOut, of: call)) }
        return json
    }

    private func json(_ value: (some Encodable)?, of call: String) -> JSON? {
        guard let value else { return nil }
        var leftOut: [LeftOutValue] = []
        let json = JSON.converted(encoding: value, nonFinite: values.nonFiniteNumbers, leftOut: &leftOut)
        if !leftOut.isEmpty { report(.leftOut(leftOut, of: call)) }
        guard let json, json.objectValue == nil else { return json }
        report(Diagnostic(.invalidValue, "\(call): properties and traits must be an object, not \(type(of: value))"))
        return nil
    }
}

// MARK: - From JSON

extension Analytics {
    package func track(_ name: String, _ properties: JSON?, _ options: EventOptions?, _ closures: [EnrichmentClosure]) {
        guard !isBlank(name, "track needs the name of an event") else { return }
        record(TrackEvent(event: name, properties: properties).json, options, closures)
    }

    package func screen(
        _ title: String?, _ category: String?, _ properties: JSON?, _ options: EventOptions?,
        _ closures: [EnrichmentClosure]
    ) {
        guard !isBlank(title, "screen needs the name of a screen") else { return }
        record(ScreenEvent(title: title, category: category, properties: properties).json, options, closures)
    }

    private func page(
        _ title: String, _ category: String?, _ properties: JSON?, _ options: EventOptions?,
        _ closures: [EnrichmentClosure]
    ) {
        guard !isBlank(title, "page needs the name of a page") else { return }
        var event = ScreenEvent(title: title, category: category, properties: properties)
        event.type = ScreenEvent.pageTypeName
        record(event.json, options, closures)
    }

    package func group(_ groupId: String, _ traits: JSON?, _ options: EventOptions?, _ closures: [EnrichmentClosure]) {
        guard !isBlank(groupId, "group needs the id of a group") else { return }
        record(GroupEvent(groupId: groupId, traits: traits).json, options, closures)
    }

    package func identify(
        _ userId: String?, _ traits: JSON?, _ options: EventOptions?, _ closures: [EnrichmentClosure]
    ) {
        guard !isBlank(userId, Self.noUserId) else { return }
        let event = IdentifyEvent(traits: traits).json
        change(options, closures, event: { _ in event }) { $0.identify(userId: userId, traits: traits) }
    }

    /// Identifies the user, with traits that depend on the known ones.
    /// - Parameters:
    ///   - anonymousId: the new anonymous id; nil keeps the present one.
    ///   - described: the event's traits.
    package func identify(
        _ userId: String?, anonymousId: String?, _ traits: JSON?, _ options: EventOptions?,
        described: @escaping @Sendable (UserInfo) -> JSON
    ) {
        guard !isBlank(userId, Self.noUserId) else { return }
        change(options, [], event: { IdentifyEvent(traits: described($0.after)).json }) { info in
            if let anonymousId { info.anonymousId = anonymousId }
            info.identify(userId: userId, traits: traits)
        }
    }

    package func alias(_ newId: String, _ options: EventOptions?, _ closures: [EnrichmentClosure]) {
        guard !isBlank(newId, "alias needs an id") else { return }
        change(
            options, closures,
            event: { AliasEvent(newId: newId, previousId: $0.before.userId ?? $0.before.anonymousId).json }
        ) { $0.userId = newId }
    }

    /// Takes over the event, so that its ids are added in place.
    package func record(_ event: consuming JSONObject, _ options: EventOptions?, _ closures: [EnrichmentClosure]) {
        guard acceptsEvents else { return }
        let stamp = stamp
        if held.isHolding, hold(copy event, options, closures, stamp) { return }
        store(stamped(event, identity.current, options, stamp), closures: closures, stamp)
    }

    private func hold(
        _ event: JSONObject, _ options: EventOptions?, _ closures: [EnrichmentClosure], _ stamp: CallStamp
    ) -> Bool {
        holds(.init(event: { $0.recordNow(event, options, closures, stamp) }))
    }

    /// Stores an event of the present user.
    func recordNow(
        _ event: JSONObject, _ options: EventOptions?, _ closures: [EnrichmentClosure], _ stamp: CallStamp
    ) {
        guard acceptsEvents else { return }
        store(stamped(event, identity.current, options, stamp), closures: closures, stamp)
    }

    /// Changes the identity.
    /// - Parameter event: makes the event for the change from the identities before and after it.
    private func change(
        _ options: EventOptions?, _ closures: [EnrichmentClosure],
        event: @escaping @Sendable ((before: UserInfo, after: UserInfo)) -> JSONObject,
        _ change: @escaping @Sendable (inout UserInfo) -> Void
    ) {
        guard acceptsEvents else { return }
        let stamp = stamp
        let call = HeldCalls.Call(
            event: { $0.changeNow(options, closures, stamp, event: event, change) },
            other: { $0.identity.change(change, record: { _ in nil }) })
        if holds(call) { return identity.preview(change) }
        changeNow(options, closures, stamp, event: event, change)
    }

    private func changeNow(
        _ options: EventOptions?, _ closures: [EnrichmentClosure], _ stamp: CallStamp,
        event: ((before: UserInfo, after: UserInfo)) -> JSONObject, _ change: (inout UserInfo) -> Void
    ) {
        guard acceptsEvents else { return }
        var before = identity.current
        let isStored = identity.change { info in
            before = info
            change(&info)
        } record: { info in
            prepare(stamped(event((before, info)), info, options, stamp), closures: closures, stamp)
        }
        if isStored { stored() }
    }

    private static let noUserId = "identify needs the id of a user"

    /// Refuses a call with a blank id or name. The call then changes nothing.
    private func isBlank(_ text: String?, _ problem: String) -> Bool {
        guard let text, text.isBlank else { return false }
        report(Diagnostic(.invalidValue, "\(problem), not a blank one; the call changes nothing", reason: .blank))
        return true
    }

    /// Refuses a recorded event without the id or name that its type needs.
    private func isNamed(_ event: JSONObject) -> Bool {
        switch event["type"]?.stringValue {
        case TrackEvent.typeName: !isBlank(event["event"]?.stringValue, "track needs the name of an event")
        case GroupEvent.typeName: !isBlank(event["groupId"]?.stringValue, "group needs the id of a group")
        case AliasEvent.typeName: !isBlank(event["userId"]?.stringValue, "alias needs an id")
        default: true
        }
    }

    /// Gives an event its ids and its time.
    private func stamped(
        _ event: consuming JSONObject, _ info: UserInfo, _ options: EventOptions?, _ stamp: CallStamp
    ) -> JSONObject {
        var event = event
        event["messageId"] = .string(stamp.messageId)
        event["anonymousId"] = .string(info.anonymousId)
        if event["userId"] == nil, let userId = info.userId { event["userId"] = .string(userId) }
        event["timestamp"] = .string(ISO8601.string(milliseconds: stamp.milliseconds))
        event["integrations"] = .object(JSONObject())
        if let referrer = info.referrerText { event["context"] = ["referrer": ["url": .string(referrer)]] }
        if let options {
            options.apply(to: &event)
            for problem in options.problems { report(Diagnostic(.invalidValue, problem)) }
        }
        return event
    }

    private func store(_ event: JSONObject, closures: [EnrichmentClosure], _ stamp: CallStamp) {
        // The user may refuse while the call is under way. Then the event is nowhere, and is not counted either.
        if writer.append(prepare(event, closures: closures, stamp)) { stored() }
    }

    private func prepare(_ event: JSONObject, closures: [EnrichmentClosure], _ stamp: CallStamp) -> InboxRecord {
        let record = InboxRecord(
            form: closures.isEmpty ? .event : .withClosures, trackedAt: stamp.milliseconds, event: event)
        if !closures.isEmpty, writer.takes(record), let messageId = event["messageId"]?.stringValue {
            pipeline.keep(closures, for: messageId)
        }
        if !record.leftOut.isEmpty { report(.tooDeep(record.leftOut, of: event)) }
        return record
    }

    private func stored() {
        counterStore.count { $0.tracked += 1 }
        switch values.operatingMode {
        case .asynchronous: pipeline.turns.wake()
        case .synchronous: pipeline.processOnCaller()
        }
    }
}

extension Analytics {
    /// Tracks an event. Its members become the properties.
    public func track<Event: AnalyticsEvent>(
        _ event: Event, options: EventOptions? = nil, enrichments: [EnrichmentClosure]? = nil
    ) {
        track(name: Event.name, properties: event, options: options, enrichments: enrichments)
    }
}
