import Foundation

extension Analytics {
    /// Whether the user allows the app to collect data. The decision is kept across launches.
    public var consent: ConsentState { writer.record.state }

    /// The purposes that the user allowed or refused, by name. They are kept across launches.
    public var consentCategories: [String: Bool] { writer.record.categories }

    /// Tells the client what the user decided. An app may call this from any thread, and again whenever the user
    /// changes their mind.
    ///
    /// - `granted`: the events that waited for the decision go through the plugins and to the server in their order,
    ///   before later events.
    /// - `denied`: the client deletes the events that waited for the decision and the ids of the user, and collects
    ///   nothing from now on. It still delivers events that were tracked with consent; `purgeStorage()` deletes those,
    ///   too.
    /// - `pending`: from now on events wait for the decision.
    /// - Parameters:
    ///   - categories: purposes by name. They replace the earlier categories; nil leaves those. Each event has them in
    ///     `context.consent`, and a destination gets events only when all of its categories are allowed.
    ///   - completion: called on a background thread when the events that waited have been moved or deleted.
    public func setConsent(
        _ state: ConsentState, categories: [String: Bool]? = nil, completion: (@Sendable () -> Void)? = nil
    ) {
        if holds(.init(other: { $0.decide(state, categories, completion) }, ended: completion)) {
            return preview(state, categories)
        }
        decide(state, categories, completion)
    }

    /// Shows a decision that was made before the earlier one could be read. The client stores the decision, and moves
    /// or deletes events, once the disk can be read.
    private func preview(_ state: ConsentState, _ categories: [String: Bool]?) {
        writer.preview { record in
            record.state = state
            if let categories { record.categories = categories }
        }
        guard state == .denied else { return }
        held.forget()
        let anonymousId = identity.newAnonymousId()
        identity.preview { $0 = UserInfo(anonymousId: anonymousId) }
    }

    private func decide(
        _ state: ConsentState, _ categories: [String: Bool]?, _ completion: (@Sendable () -> Void)?
    ) {
        let before = writer.decide(state, categories: categories)
        if categories != nil {
            addConsentGate()
            context.refresh()
        }
        switch state {
        case .granted:
            identity.keep()
            movePending(completion)
        case .denied:
            identity.forget()
            forget(hadConsent: before == .granted, completion)
        case .pending:
            identity.keep()
            pipeline.executor.perform { completion?() }
        }
    }

    /// Whether the client accepts calls. While false, it drops events at once. Default: true. The value is kept across
    /// launches.
    public var enabled: Bool {
        get { writer.record.isEnabled }
        set {
            if holds(.init(other: { $0.setEnabled(newValue) })) {
                return writer.preview { $0.isEnabled = newValue }
            }
            setEnabled(newValue)
        }
    }

    private func setEnabled(_ isEnabled: Bool) {
        writer.setEnabled(isEnabled)
        if isEnabled { identity.keep() }
    }

    /// Whether the client keeps an event that is tracked now, be it in the inbox or among the pending events.
    package var acceptsEvents: Bool { writer.target != .nowhere }

    /// Whether the library may collect the app's activity now.
    package var permit: CollectionPermit { writer.permit }

    /// Calls the handler with the permit: now, and after each change, before the call that changes it returns. The
    /// handler must not change consent.
    package func observePermit(_ handler: @escaping @Sendable (CollectionPermit) -> Void) -> Observation {
        let id = writer.observePermit(handler)
        return Observation { [writer] in writer.stopObservingPermit(id) }
    }

    /// Adds the plugin that keeps events from a destination when the user did not allow its purposes. The client adds
    /// it when it knows the first categories.
    func addConsentGate() {
        if !hasConsentGate.exchange(true) { add(builtIn: ConsentGate(categories: values.destinationCategories)) }
    }

    /// Moves pending events into the inbox. While the inbox does not accept them, it tries again each second.
    func movePending(_ completion: (@Sendable () -> Void)?) {
        pipeline.executor.perform { [weak self] in
            guard let self else { return }
            if writer.move() {
                pipeline.turns.wake()
                completion?()
                return
            }
            values.time.schedule(after: FailoverLog.retryInterval, on: .global()) { [weak self] in
                self?.movePending(completion)
            }
        }
    }

    private func forget(hadConsent: Bool, _ completion: (@Sendable () -> Void)?) {
        pipeline.executor.perform { [weak self] in
            if hadConsent { self?.visitEventPlugins { $0.reset() } }
            completion?()
        }
        pipeline.turns.barrier { [weak self] in
            guard let self else { return }
            pipeline.plugins.visit { ($0 as? any UserForgetting)?.forgetUser() }
            // Once more: events that were tracked before the refusal may have brought it back.
            writer.deleteDerived()
        }
    }
}
