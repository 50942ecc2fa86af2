package import TributaryJSON

extension Analytics {
    // MARK: Track

    /// Tracks something that the user did.
    public func track(name: String) { track(name, nil, nil, []) }

    /// Tracks something that the user did, without properties.
    public func track(name: String, options: EventOptions? = nil, enrichments: [EnrichmentClosure]? = nil) {
        track(name, nil, options, enrichments ?? [])
    }

    /// Tracks something that the user did, with what belongs to it.
    public func track(
        name: String, properties: [String: Any]?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        track(name, json(properties, of: name), options, enrichments ?? [])
    }

    /// Tracks something that the user did, with what belongs to it.
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

    /// Says who the user is and what is known of them; traits are merged into what was known.
    public func identify(
        userId: String, traits: [String: Any]?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        identify(userId, json(traits, of: "identify"), options, enrichments ?? [])
    }

    /// Says who the user is and what is known of them; traits are merged into what was known.
    public func identify<Traits: Encodable>(
        userId: String, traits: Traits?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        identify(userId, json(traits, of: "identify"), options, enrichments ?? [])
    }

    /// Says what is known of the user; traits are merged into what was known.
    public func identify(
        traits: [String: Any]?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        identify(nil, json(traits, of: "identify"), options, enrichments ?? [])
    }

    /// Says what is known of the user; traits are merged into what was known.
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

    /// Records a screen that the user sees, without properties.
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

    /// Tracks a page that the user sees, where an app shows the pages of a site.
    public func page(title: String, category: String? = nil) { page(title, category, nil, nil, []) }

    /// Records a page that the user sees, without properties.
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

    /// Says which group the user belongs to.
    public func group(groupId: String) { group(groupId, nil, nil, []) }

    /// Says which group the user belongs to, without traits.
    public func group(groupId: String, options: EventOptions? = nil, enrichments: [EnrichmentClosure]? = nil) {
        group(groupId, nil, options, enrichments ?? [])
    }

    /// Says which group the user belongs to, and what is known of it.
    public func group(
        groupId: String, traits: [String: Any]?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        group(groupId, json(traits, of: "group"), options, enrichments ?? [])
    }

    /// Says which group the user belongs to, and what is known of it.
    public func group<Traits: Encodable>(
        groupId: String, traits: Traits?, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        group(groupId, json(traits, of: "group"), options, enrichments ?? [])
    }

    // MARK: Alias

    /// Says that the user is known under a new id from now on.
    public func alias(
        newId: String, options: EventOptions? = nil,
        enrichments: [EnrichmentClosure]? = nil
    ) {
        alias(newId, options, enrichments ?? [])
    }

    // MARK: Recorded events

    /// Sends an event that already has its ids and its time, such as one that was recorded elsewhere, through the
    /// timeline. Nothing is added to it here, but a missing `messageId` and `timestamp`. Its `enrichments` run as those of a
    /// call do.
    public func process(event: BaseEvent) {
        guard acceptsEvents else { return }
        var json = event.json
        let stamp = stamp
        if json["messageId"]?.stringValue == nil { json["messageId"] = .string(stamp.messageId) }
        if json["timestamp"] == nil { json["timestamp"] = .string(ISO8601.string(milliseconds: stamp.milliseconds)) }
        let (complete, closures) = (json, event.enrichments ?? [])
        let shown = identity.current.anonymousId
        if holds(.init(event: { $0.processNow(complete, closures, shown, stamp) })) { return }
        store(json, closures: closures, stamp)
    }

    /// - Parameter shown: what was the user's anonymous id as long as it could not be read.
    private func processNow(_ event: JSONObject, _ closures: [EnrichmentClosure], _ shown: String, _ stamp: CallStamp) {
        guard acceptsEvents else { return }
        var event = event
        if event["anonymousId"]?.stringValue == shown { event["anonymousId"] = .string(identity.current.anonymousId) }
        store(event, closures: closures, stamp)
    }

    /// Values without a JSON form are reported and left out.
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
        record(TrackEvent(event: name, properties: properties).json, options, closures)
    }

    package func screen(
        _ title: String?, _ category: String?, _ properties: JSON?, _ options: EventOptions?,
        _ closures: [EnrichmentClosure]
    ) {
        record(ScreenEvent(title: title, category: category, properties: properties).json, options, closures)
    }

    private func page(
        _ title: String, _ category: String?, _ properties: JSON?, _ options: EventOptions?,
        _ closures: [EnrichmentClosure]
    ) {
        var event = ScreenEvent(title: title, category: category, properties: properties)
        event.type = ScreenEvent.pageTypeName
        record(event.json, options, closures)
    }

    package func group(_ groupId: String, _ traits: JSON?, _ options: EventOptions?, _ closures: [EnrichmentClosure]) {
        record(GroupEvent(groupId: groupId, traits: traits).json, options, closures)
    }

    package func identify(
        _ userId: String?, _ traits: JSON?, _ options: EventOptions?, _ closures: [EnrichmentClosure]
    ) {
        let event = IdentifyEvent(traits: traits).json
        change(options, closures, event: { _ in event }) { $0.identify(userId: userId, traits: traits) }
    }

    /// Says who the user is, with traits that follow from what is known then.
    /// - Parameters:
    ///   - anonymousId: the user's anonymous id from now on; nil leaves it.
    ///   - described: the event's traits.
    package func identify(
        _ userId: String?, anonymousId: String?, _ traits: JSON?, _ options: EventOptions?,
        described: @escaping @Sendable (UserInfo) -> JSON
    ) {
        change(options, [], event: { IdentifyEvent(traits: described($0.after)).json }) { info in
            if let anonymousId { info.anonymousId = anonymousId }
            info.identify(userId: userId, traits: traits)
        }
    }

    package func alias(_ newId: String, _ options: EventOptions?, _ closures: [EnrichmentClosure]) {
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

    /// Records an event of the present user.
    func recordNow(
        _ event: JSONObject, _ options: EventOptions?, _ closures: [EnrichmentClosure], _ stamp: CallStamp
    ) {
        guard acceptsEvents else { return }
        store(stamped(event, identity.current, options, stamp), closures: closures, stamp)
    }

    /// Changes the identity.
    /// - Parameter event: makes the event of the change from the identity before and after it.
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
        identity.change { info in
            before = info
            change(&info)
        } record: { info in
            prepare(stamped(event((before, info)), info, options, stamp), closures: closures, stamp)
        }
        stored()
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
        options?.apply(to: &event)
        return event
    }

    private func store(_ event: JSONObject, closures: [EnrichmentClosure], _ stamp: CallStamp) {
        writer.append(prepare(event, closures: closures, stamp))
        stored()
    }

    private func prepare(_ event: JSONObject, closures: [EnrichmentClosure], _ stamp: CallStamp) -> InboxRecord {
        if !closures.isEmpty, let messageId = event["messageId"]?.stringValue {
            pipeline.keep(closures, for: messageId)
        }
        let record = InboxRecord(
            form: closures.isEmpty ? .event : .withClosures, trackedAt: stamp.milliseconds, event: event)
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
