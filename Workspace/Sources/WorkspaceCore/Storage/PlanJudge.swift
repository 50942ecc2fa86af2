package import TributaryJSON

/// Compares single events with the tracking plan of their source.
///
/// A pure value. It passes the text of an event once, and builds only texts of which some are allowed.
package struct PlanJudge: Sendable {
    /// A way in which an event differs from the plan.
    package struct Problem: Sendable, Equatable {
        package enum Kind: String, Sendable, CaseIterable {
            /// The event is not planned, or it is and the plan blocks it.
            case event, blocked
            /// Its property is not planned, is required and missing, has another type, or a text that is not allowed.
            case unplanned, missing, type, value
        }

        package let kind: Kind
        /// The property; nil when it is about the whole event.
        package let key: String?

        package init(_ kind: Kind, key: String? = nil) { (self.kind, self.key) = (kind, key) }

        package var json: JSON { ["problem": .string(kind.rawValue), "key": .string(key)] }
    }

    fileprivate struct Property: Sendable {
        let key: String
        let kind: PropertyKind?
        let isRequired: Bool
        /// As UTF-8; nil when every text is allowed.
        let values: Set<[UInt8]>?

        init(_ property: TrackingPlan.Property) {
            (key, kind, isRequired) = (property.key, property.kind, property.isRequired)
            values = property.values.isEmpty ? nil : Set(property.values.map { Array($0.utf8) })
        }
    }

    private struct Planned: Sendable {
        let isBlocked: Bool
        let properties: [[UInt8]: Property]
        let required: [String]
    }

    private let events: [CountedName: Planned]

    /// Nil for a plan without events, from which nothing differs.
    package init?(_ plan: TrackingPlan) {
        guard !plan.events.isEmpty else { return nil }
        let planned = plan.events.map { event in
            let properties = event.properties.map { (Array($0.key.utf8), Property($0)) }
            return (
                event.name,
                Planned(
                    isBlocked: event.isBlocked,
                    properties: Dictionary(properties, uniquingKeysWith: { first, _ in first }),
                    required: event.properties.filter(\.isRequired).map(\.key))
            )
        }
        events = Dictionary(planned, uniquingKeysWith: { first, _ in first })
    }

    /// The ways in which an event differs; empty when it is as planned.
    /// - Parameter body: its text. One that is no JSON has no properties.
    package func problems(of name: CountedName, _ body: [UInt8]) -> [Problem] {
        guard let planned = events[name] else { return [Problem(.event)] }
        guard !planned.isBlocked else { return [Problem(.blocked)] }
        var (problems, found) = ([Problem](), Set<[UInt8]>())
        Self.forEachProperty(of: name.type, body) { key, value, bytes in
            // Of a key that is repeated the first value counts, as in the catalog.
            guard found.insert(key).inserted else { return }
            guard let property = planned.properties[key] else {
                problems.append(Problem(.unplanned, key: String(decoding: key, as: UTF8.self)))
                return
            }
            if let kind = property.problem(with: value, bytes) { problems.append(Problem(kind, key: property.key)) }
        }
        let missing = planned.required.filter { !found.contains(Array($0.utf8)) }
        return problems + missing.map { Problem(.missing, key: $0) }
    }

    /// Calls with each property and the place of its value; of an identify and a group with each trait.
    private static func forEachProperty(
        of type: EventType, _ body: [UInt8], _ take: ([UInt8], Range<Int>, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        let name: StaticString
        switch type {
        case .track, .page, .screen: name = "properties"
        case .identify, .group: name = "traits"
        case .alias: return
        }
        body.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            guard scanner.peek == UInt8(ascii: "{"), let object = try? ScannedObject(&scanner, [name]),
                let place = object[name], bytes[place.lowerBound] == UInt8(ascii: "{")
            else { return }
            for member in ScannedMember.all(of: place, in: bytes) {
                take(member.key.name(in: bytes), member.value, bytes)
            }
        }
    }
}

extension PlanJudge.Property {
    fileprivate func problem(
        with value: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> PlanJudge.Problem.Kind? {
        let found = PropertyKind(firstByte: bytes[value.lowerBound])
        guard found != .null else { return isRequired ? .missing : nil }
        if let kind, found != kind { return .type }
        guard let values, let text = ScannedObject.text(value, bytes) else { return nil }
        return values.contains(Array(text.utf8)) ? nil : .value
    }
}
