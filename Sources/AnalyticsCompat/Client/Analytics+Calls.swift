// The calls of analytics-ios, with dictionaries of `Any`.
extension Analytics {
    /// Identifies the user and sets their traits.
    ///
    /// The event's traits are all known traits of the user, with `userId` and `anonymousId`.
    /// - Parameters:
    ///   - userId: nil keeps the present one; then traits are required.
    ///   - traits: merged into the known traits.
    ///   - options: `anonymousId` (becomes the client's), `context`, `integrations`.
    public func identify(_ userId: String?, traits: [String: Any]? = nil, options: [String: Any]? = nil) {
        guard !(userId ?? "").isBlank || !(traits ?? [:]).isEmpty else {
            return refuse("identify needs a user id or traits")
        }
        var serialization = Serialization()
        let json = serialization.optional(traits, at: "traits")
        let chosen = eventOptions(options, &serialization)
        let anonymousId = (options?["anonymousId"] as? String).flatMap { $0.isBlank ? nil : $0 }
        identify(userId.flatMap { $0.isBlank ? nil : $0 }, anonymousId: anonymousId, json, chosen) { info in
            var all = info.traits.objectValue ?? [:]
            all["anonymousId"] = .string(info.anonymousId)
            all["userId"] = info.userId.map(JSON.string)
            return .object(all)
        }
    }

    /// Tracks an action of the user.
    /// - Parameter options: `context`, `integrations`.
    public func track(_ event: String, properties: [String: Any]? = nil, options: [String: Any]? = nil) {
        guard !event.isBlank else { return refuse("track needs the name of an event") }
        var serialization = Serialization()
        let json = serialization.optional(properties, at: event)
        track(event, json, eventOptions(options, &serialization), [])
    }

    /// Tracks a screen that the user sees.
    /// - Parameter options: `context`, `integrations`.
    public func screen(
        _ screenTitle: String, category: String? = nil, properties: [String: Any]? = nil,
        options: [String: Any]? = nil
    ) {
        guard !screenTitle.isBlank else { return refuse("screen needs the name of a screen") }
        var serialization = Serialization()
        let json = serialization.optional(properties, at: screenTitle)
        screen(screenTitle, category, json, eventOptions(options, &serialization), [])
    }

    /// Assigns the user to a group.
    /// - Parameter options: `context`, `integrations`.
    public func group(_ groupId: String, traits: [String: Any]? = nil, options: [String: Any]? = nil) {
        guard !groupId.isBlank else { return refuse("group needs the id of a group") }
        var serialization = Serialization()
        let json = serialization.optional(traits, at: "traits")
        group(groupId, json, eventOptions(options, &serialization), [])
    }

    /// Gives the user another id as well. Later events still have the id before; `identify` changes it.
    /// - Parameter options: `context`, `integrations`.
    public func alias(_ newId: String, options: [String: Any]? = nil) {
        guard !newId.isBlank else { return refuse("alias needs an id") }
        var serialization = Serialization()
        let known = userInfo
        let event = AliasEvent(newId: newId, previousId: known.userId ?? known.anonymousId)
        record(event.json, eventOptions(options, &serialization), [])
    }

    private func refuse(_ message: String) {
        report(Diagnostic(.invalidValue, "\(message): nothing is tracked", reason: .blank))
    }

    private func eventOptions(_ options: [String: Any]?, _ serialization: inout Serialization) -> EventOptions? {
        var result = EventOptions()
        if let options {
            result.context = serialization.object(of: options["context"], at: "context")
            result.integrations = serialization.object(of: options["integrations"], at: "integrations")
        }
        for problem in serialization.problems {
            report(Diagnostic(.invalidValue, "\(problem); the event goes on without it"))
        }
        if middlewarePlugin?.configuration.experimental.nanosecondTimestamps == true {
            result.exactTimestamp = ExactTimestamp.now(time)
        }
        return result
    }
}
