import Foundation

extension Analytics {
    /// Whether the user lets the app collect what they do. Kept across launches.
    public var consent: ConsentState { writer.record.state }

    /// The purposes that the user allowed or refused, by name. Kept across launches.
    public var consentCategories: [String: Bool] { writer.record.categories }

    /// Says what the user decided. May be called from any thread and as often as they change their mind.
    ///
    /// - `granted`: what was kept apart while the decision was pending goes through the plugins and to the server, in its
    ///   order, before what is tracked from now on.
    /// - `denied`: what was kept apart is deleted, and so are the ids of the user; from now on nothing is collected. What
    ///   was tracked with consent is still delivered; `purgeStorage()` gives it up.
    /// - `pending`: from now on events are kept apart.
    /// - Parameters:
    ///   - categories: purposes by name, in place of those before; nil leaves them. They are in `context.consent` of each
    ///     event, and a destination gets events only when all of its categories are allowed.
    ///   - completion: called on a background thread when what was kept apart has been moved or deleted.
    public func setConsent(
        _ state: ConsentState, categories: [String: Bool]? = nil, completion: (@Sendable () -> Void)? = nil
    ) {
        if holds(.init(other: { $0.decide(state, categories, completion) }, ended: completion)) {
            return preview(state, categories)
        }
        decide(state, categories, completion)
    }

    /// What the user said before that can be read only later. What is to be kept or moved is then.
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

    /// Whether calls are taken. While false, events are dropped at once. Default: true; kept across launches.
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

    /// Whether an event that is tracked now is kept at all.
    package var acceptsEvents: Bool { writer.target != .nowhere }

    /// Whether what happens in the app may be collected now.
    package var permit: CollectionPermit { writer.permit }

    /// Calls the handler with the permit: now, and after each change, before the call that changes it returns. The handler
    /// must not change consent.
    package func observePermit(_ handler: @escaping @Sendable (CollectionPermit) -> Void) -> Observation {
        let id = writer.observePermit(handler)
        return Observation { [writer] in writer.stopObservingPermit(id) }
    }

    /// Keeps destinations from events that the user did not allow; added once there is something to allow.
    func addConsentGate() {
        let isFirst = hasConsentGate.withLock { has in
            defer { has = true }
            return !has
        }
        if isFirst { add(builtIn: ConsentGate(categories: values.destinationCategories)) }
    }

    /// Moves what was kept apart, again each second while the inbox does not take it.
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
