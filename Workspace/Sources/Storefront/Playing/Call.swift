import Tributary

/// One call of the client, as an app would make it.
enum Call {
    case identify(userId: String, traits: CustomerTraits)
    case group(groupId: String, traits: [String: Any])
    case alias(newId: String)
    case screen(title: String, category: String?)
    /// With a type of the app's own.
    case track(String, any Encodable)
    /// With a dictionary, where an app has no type for it.
    case trackLoosely(String, [String: Any])
    /// An event that was recorded elsewhere and has its ids and its time already.
    case recorded(any RawEvent)
    /// The visitor leaves; the next call is another visitor's.
    case reset

    /// Whether the call makes an event.
    var isEvent: Bool {
        if case .reset = self { return false }
        return true
    }

    /// Makes the call; it returns when the event is stored.
    func perform(on analytics: Analytics) {
        switch self {
        case .identify(let userId, let traits): analytics.identify(userId: userId, traits: traits)
        case .group(let groupId, let traits): analytics.group(groupId: groupId, traits: traits)
        case .alias(let newId): analytics.alias(newId: newId)
        case .screen(let title, let category): analytics.screen(title: title, category: category)
        case .track(let name, let properties): Self.track(name, properties, analytics)
        case .trackLoosely(let name, let properties): analytics.track(name: name, properties: properties)
        case .recorded(let event): Self.process(event, analytics)
        case .reset: analytics.reset()
        }
    }

    private static func track(_ name: String, _ properties: some Encodable, _ analytics: Analytics) {
        analytics.track(name: name, properties: properties)
    }

    private static func process(_ event: some RawEvent, _ analytics: Analytics) { analytics.process(event: event) }
}
