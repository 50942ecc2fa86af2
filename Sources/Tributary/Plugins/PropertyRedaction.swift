public import TributaryJSON

/// Takes out of properties, traits and context what must not leave the device, by the names of members.
///
/// A pattern of one name (`email`, `*password*`) stands for members of that name at any depth; one with dots
/// (`address.street`, `cards.*.number`) for a path from the top, whatever lists lie on it. `*` is any part of a name,
/// `?` one character; case does not count. A member that fits is taken out with everything in it.
///
/// Added last, it sees what the enrichment plugins before it made. Live plugins, and closures that a call brings, run
/// after it.
public final class PropertyRedaction: Plugin {
    /// A part of an event.
    public enum Part: String, Sendable, CaseIterable {
        /// The properties of a track or screen event.
        case properties
        /// The traits of a user or group, in the event and in the context.
        case traits
        /// The context.
        case context
    }

    /// The handling of a member.
    public enum Action: Sendable {
        /// It is gone.
        case remove
        /// This value stands in its place.
        case replace(JSON)
    }

    public let type = PluginType.enrichment
    public let name = "PropertyRedaction"
    public weak var analytics: Analytics?

    private let patterns: KeyPatterns
    private let parts: Set<Part>
    private let action: Action

    /// - Parameters:
    ///   - keys: the patterns.
    ///   - parts: where to look. Default: everywhere.
    ///   - action: what becomes of a member that fits. Default: it is removed.
    public init(keys: [String], in parts: Set<Part> = Set(Part.allCases), action: Action = .remove) {
        patterns = KeyPatterns(keys)
        self.parts = parts
        self.action = action
    }

    public func execute<Event: RawEvent>(event: Event?) -> Event? {
        guard var event else { return nil }
        for part in Part.allCases where parts.contains(part) {
            if let cleaned = redacted(event.json[part.rawValue], path: []) { event.json[part.rawValue] = cleaned }
        }
        if parts.contains(.traits), !parts.contains(.context), var context = event.json["context"]?.objectValue,
            let cleaned = redacted(context["traits"], path: [])
        {
            context["traits"] = cleaned
            event.json["context"] = .object(context)
        }
        return event
    }

    /// The value without what fits; nil when nothing does.
    private func redacted(_ value: JSON?, path: [String]) -> JSON? {
        switch value {
        case .object(let object): return redacted(object, path).map(JSON.object)
        case .array(let elements):
            let cleaned = elements.map { redacted($0, path: path) }
            guard cleaned.contains(where: { $0 != nil }) else { return nil }
            return .array(zip(elements, cleaned).map { $1 ?? $0 })
        default: return nil
        }
    }

    private func redacted(_ object: JSONObject, _ path: [String]) -> JSONObject? {
        var result: JSONObject?
        for (key, value) in object {
            if patterns.match(key, in: path) {
                var changed = result ?? object
                if case .replace(let replacement) = action { changed[key] = replacement } else { changed[key] = nil }
                result = changed
            } else if let cleaned = redacted(value, path: path + [key]) {
                var changed = result ?? object
                changed[key] = cleaned
                result = changed
            }
        }
        return result
    }
}
