import TributaryJSON
import WorkspaceCore

/// The events of a tracking plan as types of a programming language.
struct PlannedCode {
    enum Language: String, CaseIterable, Sendable {
        case swift, kotlin, typescript
    }

    /// An event of the plan, with the names that it has in the code.
    struct Event {
        /// Of a track event the event, of a screen or page the title.
        let name: String?
        let type: EventType
        let typeName: String
        let memberName: String
        let description: String
        /// Required properties come first.
        let properties: [Property]

        /// The lines that describe it.
        var comment: String {
            let title = [type.rawValue, name].compactMap(\.self).joined(separator: " ")
            let words = CodeText.comment(description)
            return "\(CodeText.comment(title))\(words.isEmpty ? "" : ": \(words)")"
        }
    }

    struct Property {
        let key: String
        let name: String
        let kind: PropertyKind?
        let isRequired: Bool
        let description: String
        /// The texts that the plan allows; nil when it allows every value, or when a language takes two of them for the same.
        let choice: Choice?
    }

    /// The allowed texts of a property as a type.
    struct Choice {
        /// A name that no other type of the file has, and one that no other type of the event has.
        let typeName: String
        let nestedName: String
        let values: [(name: String, text: String)]
    }

    let events: [Event]
    /// Why an event of the plan has no code, in words.
    let leftOut: [String]

    /// - Parameters:
    ///   - types: which events the language's client can send.
    ///   - reserved: names that no type and no member may have; those of the languages are there already.
    init(_ plan: TrackingPlan, types: Set<EventType>, reserved: Reserved) {
        var typeNames = CodeNames(reserved: reserved.types)
        var memberNames = CodeNames(reserved: reserved.members)
        var events: [Event] = []
        var leftOut: [String] = []
        for event in plan.events {
            let type = event.name.type
            let title = CodeText.comment([type.rawValue, event.name.text].compactMap(\.self).joined(separator: " "))
            guard types.contains(type) else {
                leftOut.append("\(title): the client of this language has no such event with properties")
                continue
            }
            guard !event.isBlocked else {
                leftOut.append("\(title): the plan blocks it")
                continue
            }
            let text = Self.text(of: event)
            let typeName = typeNames.make(text, .type, otherwise: "Event")
            events.append(
                Event(
                    name: event.name.text, type: type, typeName: typeName,
                    memberName: memberNames.make(text, .member, otherwise: "event"), description: event.description,
                    properties: Self.properties(of: event, typeName, &typeNames, reserved)))
        }
        (self.events, self.leftOut) = (events, leftOut)
    }

    /// The words of which an event's names are made: a track event's name, and for others also what they are.
    private static func text(of event: TrackingPlan.Event) -> String {
        let name = event.name.text ?? ""
        switch event.name.type {
        case .identify: return "\(name) User Traits"
        case .group: return "\(name) Group Traits"
        case .screen: return "\(name) Screen"
        case .page: return "\(name) Page"
        default: return name
        }
    }

    private static func properties(
        of event: TrackingPlan.Event, _ typeName: String, _ typeNames: inout CodeNames, _ reserved: Reserved
    ) -> [Property] {
        var names = CodeNames(reserved: reserved.members)
        var nested = CodeNames(reserved: reserved.types)
        var properties: [Property] = []
        for property in event.properties {
            // Texts that are the same to the eye are one text for Swift, which takes each of them once.
            let hasChoice = !property.values.isEmpty && Set(property.values).count == property.values.count
            let choice = hasChoice ? choice(of: property, typeName, &typeNames, &nested, reserved) : nil
            properties.append(
                Property(
                    key: property.key, name: names.make(property.key, .member, otherwise: "property"),
                    kind: property.kind, isRequired: property.isRequired,
                    description: CodeText.comment(property.description), choice: choice))
        }
        return properties.filter(\.isRequired) + properties.filter { !$0.isRequired }
    }

    private static func choice(
        of property: TrackingPlan.Property, _ event: String, _ types: inout CodeNames, _ nested: inout CodeNames,
        _ reserved: Reserved
    ) -> Choice {
        var names = CodeNames(reserved: reserved.members.union(ofChoices))
        return Choice(
            typeName: types.make("\(event) \(property.key)", .type, otherwise: "Choice"),
            nestedName: nested.make(property.key, .type, otherwise: "Choice"),
            values: property.values.map { (names.make($0, .member, otherwise: "value"), $0) })
    }

    /// Names that a value of a choice cannot have, because each value has a member of that name.
    private static let ofChoices: Set<String> = [
        "allCases", "compareTo", "declaringClass", "entries", "equals", "hash", "hashCode", "hashValue", "name", "none",
        "ordinal", "rawValue", "some", "text", "toString", "valueOf", "values",
    ]

    /// Names that the code must not use for its own types and members.
    struct Reserved {
        let types: Set<String>
        let members: Set<String>
    }

    /// The code, as the content of a file.
    /// - Parameter package: the package of Kotlin; nil for none.
    static func text(_ plan: TrackingPlan, _ language: Language, package: String?) -> String {
        switch language {
        case .swift: SwiftCode.text(plan)
        case .kotlin: KotlinCode.text(plan, package: package)
        case .typescript: TypeScriptCode.text(plan)
        }
    }

    /// The first lines of a file.
    static func head(_ language: Language) -> [String] {
        [
            "// Made by `tributary plan code --language \(language.rawValue)` from the tracking plan.",
            "// Make it anew when the plan changes, and do not edit it: changes would be lost.",
        ]
    }

    /// The last lines of a file: which events are not in it.
    var tail: [String] {
        leftOut.isEmpty ? [] : ["", "// Not in this file:"] + leftOut.map { "// - \($0)" }
    }
}
