package import TributaryJSON

/// The consent data of an event.
package struct EventConsent: Sendable, Equatable {
    /// Whether the consent of an event lets a destination have it.
    package enum Verdict: Sendable, Equatable {
        case allowed
        /// The categories that the destination needs and the user has not allowed.
        case refused([String])
        /// The event says nothing, so the source's policy decides.
        case unsaid
    }

    /// The categories with what the user decided; nil when the event says nothing about categories.
    package let preferences: [String: Bool]?
    /// Whether the user asks for Global Privacy Control.
    package let asksForPrivacy: Bool

    /// - Parameter event: as it is stored.
    package init(of event: JSON) {
        let context = event["context"]
        let consent = context?["consent"]
        asksForPrivacy =
            [context?["globalPrivacyControl"], context?["gpc"], consent?["globalPrivacyControl"], consent?["gpc"]]
            .contains { $0.map(Self.isYes) ?? false }
        var found = Self.categories(consent)
        if let purposes = TransparencyString.purposes(in: consent) {
            found = (found ?? [:]).merging(purposes) { $0 && $1 }
        }
        // An empty statement beside `integrations` refuses all categories, in the table that the field publishes.
        let namesDestinations = event["integrations"]?.objectValue?.isEmpty == false
        preferences = found ?? (consent?.objectValue != nil && namesDestinations ? [:] : nil)
    }

    /// - Parameters:
    ///   - needed: the categories of a destination. One without any is not bound to consent.
    ///   - policy: that of the source.
    package func verdict(on needed: [String], _ policy: ConsentPolicy) -> Verdict {
        guard !needed.isEmpty else { return .allowed }
        let refused = needed.filter { category in
            if asksForPrivacy, policy.gpcRefuses.contains(category) { return true }
            return preferences.map { $0[category] != true } ?? false
        }
        if !refused.isEmpty { return .refused(refused) }
        return preferences == nil ? .unsaid : .allowed
    }

    /// The field writes `categoryPreferences`; one of its clients leaves the last letter out. A category that is false in
    /// one of them is refused, and so is one with any other value than true.
    private static func categories(_ consent: JSON?) -> [String: Bool]? {
        let members = ["categoryPreferences", "categoryPreference"].compactMap { consent?[$0]?.objectValue }
        guard !members.isEmpty else { return nil }
        return members.reduce(into: [:]) { found, object in
            for (name, value) in object { found[name] = (found[name] ?? true) && value.boolValue == true }
        }
    }

    private static func isYes(_ value: JSON) -> Bool {
        value.boolValue == true || value.stringValue == "1" || value.stringValue == "true" || value.intValue == 1
    }
}
