import TributaryJSON

extension Analytics {
    /// The anonymous id of this installation, until the next reset.
    public var anonymousId: String { identity.current.anonymousId }

    /// The id of the user; nil before the first `identify`.
    public var userId: String? { identity.current.userId }

    /// The traits of the user.
    public func traits() -> [String: Any]? { identity.current.traits.dictionaryValue }

    /// The traits of the user, decoded; nil when they do not fit the type.
    public func traits<Traits: Decodable>() -> Traits? { identity.current.traits.codableValue() }

    /// The user's ids and traits as one value.
    public var userInfo: UserInfo { identity.current }

    /// Forgets the user: a new anonymous id, no user id, no traits. The client still delivers earlier events.
    ///
    /// Plugins get `reset()` after the events that were tracked before.
    public func reset() {
        let anonymousId = identity.newAnonymousId()
        guard holds(.init(other: { $0.reset(to: anonymousId) })) else { return reset(to: anonymousId) }
        identity.preview { $0 = UserInfo(anonymousId: anonymousId) }
    }

    private func reset(to anonymousId: String) {
        let (before, after) = identity.reset(to: anonymousId)
        pipeline.turns.barrier { [weak self] in
            self?.pass(.reset(from: before, to: after)) { [weak self] in
                self?.visitEventPlugins { $0.reset() }
            } otherwise: { [weak self] in
                self?.identity.takeBack(from: before, to: after)
            }
        }
    }

    /// Calls every event plugin between two events, also those in the timelines of destinations. Runs on the executor.
    func visitEventPlugins(_ visit: @escaping @Sendable (any EventPlugin) -> Void) {
        pipeline.plugins.visit { if let plugin = $0 as? any EventPlugin { visit(plugin) } }
    }
}
