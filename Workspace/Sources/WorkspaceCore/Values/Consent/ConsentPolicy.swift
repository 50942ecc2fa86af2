package import TributaryJSON

/// How a source treats events without consent data.
package struct ConsentPolicy: Sendable, Equatable {
    /// How an event without categories is treated, for a destination that needs some.
    package enum Unsaid: String, Sendable, CaseIterable {
        /// The destination gets it. This is what the field does, and so the default.
        case forward
        /// The destination does not get it now; an operator may send it later.
        case hold
        /// The destination never gets it.
        case drop
    }

    package var unsaid = Unsaid.forward
    /// The categories that a user refuses by Global Privacy Control.
    var gpcRefuses = ["advertising"]

    package init() {}

    /// Reads a policy. A missing member has its default.
    package init(_ json: JSON) throws(Refusal) {
        guard let members = json.objectValue else {
            throw .invalid("consent is an object with unsaid and gpcRefuses")
        }
        for (name, value) in members {
            switch name {
            case "unsaid":
                guard let unsaid = value.stringValue.flatMap(Unsaid.init(rawValue:)) else {
                    let rules = Unsaid.allCases.map(\.rawValue).joined(separator: ", ")
                    throw .invalid("consent.unsaid is one of \(rules)")
                }
                self.unsaid = unsaid
            case "gpcRefuses": gpcRefuses = try ConsentCategories.read(value)
            default: throw .invalid("consent has unsaid and gpcRefuses; \(name) means nothing here")
            }
        }
    }

    package var json: JSON { ["unsaid": .string(unsaid.rawValue), "gpcRefuses": .strings(gpcRefuses)] }
}
