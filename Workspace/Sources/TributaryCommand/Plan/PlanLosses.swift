import TributaryJSON

/// The parts of a tracking plan that a new plan takes away for good.
enum PlanLosses {
    /// A sentence for each kind of loss; none when the new plan has everything. The server has not checked it yet.
    static func lines(from before: JSON, to after: JSON) -> [String] {
        let wanted = Dictionary(events(after).map { (title($0), $0) }, uniquingKeysWith: { first, _ in first })
        let gone = events(before).map(title).filter { wanted[$0] == nil }
        let kept = events(before).compactMap { event in wanted[title(event)].map { (event, $0) } }
        return named("the plan does not have these events any more", gone)
            + kept.flatMap { ofEvent(title($0), from: $0, to: $1) }
    }

    private static func ofEvent(_ title: String, from before: JSON, to after: JSON) -> [String] {
        let wanted = Dictionary(
            properties(after).map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        let gone = properties(before).map(key).filter { wanted[$0] == nil }
        let described = properties(before).filter { property in
            isDescribed(property) && wanted[key(property)].map { !isDescribed($0) } ?? false
        }
        let isDescriptionGone = isDescribed(before) && !isDescribed(after)
        let valued = properties(before).filter { property in
            hasValues(property) && wanted[key(property)].map { !hasValues($0) } ?? false
        }
        let isOwnerGone =
            before["owner"]?.stringValue?.isEmpty == false && after["owner"]?.stringValue?.isEmpty != false
        return (isDescriptionGone ? ["the description of \(title) is deleted"] : [])
            + (isOwnerGone ? ["the owner of \(title) is deleted"] : [])
            + named("the allowed values of these properties of \(title) are deleted", valued.map(key))
            + named("the plan of \(title) does not have these properties any more", gone)
            + named("the descriptions of these properties of \(title) are deleted", described.map(key))
    }

    private static func events(_ plan: JSON) -> [JSON] { plan["events"]?.elements ?? [] }

    private static func properties(_ event: JSON) -> [JSON] { event["properties"]?.elements ?? [] }

    private static func title(_ event: JSON) -> String {
        ["type", "name"].compactMap { event[$0]?.stringValue?.printable }.joined(separator: " ")
    }

    private static func key(_ property: JSON) -> String { property["key"]?.stringValue?.printable ?? "" }

    private static func isDescribed(_ part: JSON) -> Bool { part["description"]?.stringValue?.isEmpty == false }

    private static func hasValues(_ property: JSON) -> Bool { property["values"]?.elements?.isEmpty == false }

    private static func named(_ words: String, _ names: [String]) -> [String] {
        names.isEmpty ? [] : ["\(words): \(names.joined(separator: ", "))"]
    }
}
