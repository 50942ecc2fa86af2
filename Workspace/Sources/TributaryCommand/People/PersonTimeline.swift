import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// The events of one person, newest first, and what they say about the person.
struct PersonTimeline {
    /// Each once, newest first by the time on the device.
    let events: [JSON]

    /// - Parameters:
    ///   - found: stored events; one may be there more than once.
    ///   - limit: how many are kept.
    init(_ found: [JSON], limit: Int) {
        var seen = Set<ExactText>()
        let unique = found.filter { seen.insert(ExactText($0["messageId"]?.stringValue ?? $0.description)).inserted }
        events = Array(unique.sorted { Self.time($0) > Self.time($1) }.prefix(limit))
    }

    private static func time(_ event: JSON) -> String {
        event["timestamp"]?.stringValue ?? event["receivedAt"]?.stringValue ?? ""
    }

    func lines(_ style: OutputStyle) -> [String] {
        let line = EventLine(style: style)
        let about = [
            Self.part("traits", traits, style), Self.part("devices", devices, style),
            Self.part("groups", groups, style),
            Self.part("former ids", formerIds, style),
        ].flatMap(\.self)
        return about + [style.bold("newest \(events.count.grouped) events")] + events.map { "  " + line.text($0) }
    }

    private static func part(_ title: String, _ values: [String], _ style: OutputStyle) -> [String] {
        values.isEmpty ? [] : [style.bold(title)] + values.map { "  " + $0.printable }
    }

    /// The newest value of each trait.
    private var traits: [String] {
        var known = Set<ExactText>()
        return of("identify").flatMap { event in event["event"]?["traits"]?.objectValue ?? [:] }
            .filter { known.insert(ExactText($0.key)).inserted }
            .map { "\($0.key): \($0.value.stringValue ?? $0.value.description)" }.sorted()
    }

    private var devices: [String] { unique(events.compactMap { $0["anonymousId"]?.stringValue }) }

    private var groups: [String] { unique(of("group").compactMap { $0["event"]?["groupId"]?.stringValue }) }

    private var formerIds: [String] { unique(of("alias").compactMap { $0["event"]?["previousId"]?.stringValue }) }

    private func of(_ type: String) -> [JSON] { events.filter { $0["type"]?.stringValue == type } }

    private func unique(_ values: [String]) -> [String] {
        var seen = Set<ExactText>()
        return values.filter { seen.insert(ExactText($0)).inserted }
    }
}
