public import TributaryJSON

/// Removes data that must not leave the device from properties, traits and context, by the names of members.
///
/// A pattern of one name (`email`, `*password*`) matches members of that name at any depth. A pattern with dots
/// (`address.street`, `cards.*.number`) matches a path from the top, through lists. `*` matches any part of a name, `?`
/// one character; the case of letters does not matter. A member that matches is removed with everything in it.
///
/// Added last, the plugin sees the results of the enrichment plugins before it. Live plugins, and closures of a call,
/// run after it.
///
/// ```swift
/// analytics.add(plugin: PropertyRedaction(keys: ["*password*", "address.street"]))
/// ```
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

    /// How the plugin treats a member that matches.
    public enum Action: Sendable {
        /// The member is removed.
        case remove
        /// This value replaces the member's.
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
    ///   - parts: the parts to search. Default: all parts.
    ///   - action: how the plugin treats a member that matches. Default: it removes the member.
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

    /// The value without members that match; nil when no member matches.
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
