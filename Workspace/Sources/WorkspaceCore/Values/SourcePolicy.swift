package import Foundation
package import TributaryJSON

/// Rules that an operator sets for a source: its quota, its treatment of addresses and countries, which signals devices
/// send, how many of them report on their health, its treatment of events without consent data, its personal properties, and
/// the time zone of its days.
package struct SourcePolicy: Sendable, Equatable {
    package var quota = Quota()
    package var address = AddressPolicy.asSent
    package var country = CountryPolicy.auto
    package var signals = SignalSwitches()
    package var healthReports = HealthSampling()
    package var consent = ConsentPolicy()
    package var personal = PersonalProperties()
    /// The time zone in which days and weeks begin in questions that name none; nil is UTC.
    package private(set) var timeZone: TimeZone?

    package static let none = SourcePolicy()

    package init() {}

    /// Parses a stored policy. A missing member has its default.
    package init(_ json: JSON) throws(Refusal) {
        self = try SourcePolicy.none.changed(by: json)
    }

    /// Changes the members that are in the JSON; null sets a member to its default.
    package func changed(by json: JSON) throws(Refusal) -> SourcePolicy {
        guard let members = json.objectValue else { throw .invalid("a policy is an object") }
        var policy = self
        for (name, value) in members {
            switch name {
            case "quota": policy.quota = value.isNull ? Quota() : try Quota(value)
            case "ip": policy.address = value.isNull ? .asSent : try AddressPolicy(value)
            case "country": policy.country = value.isNull ? .auto : try CountryPolicy(value)
            case "signals": policy.signals = value.isNull ? SignalSwitches() : try SignalSwitches(value)
            case "healthReports":
                policy.healthReports = value.isNull ? HealthSampling() : try HealthSampling(value)
            case "consent": policy.consent = value.isNull ? ConsentPolicy() : try ConsentPolicy(value)
            case "personal": policy.personal = value.isNull ? PersonalProperties() : try PersonalProperties(value)
            case "timeZone": policy.timeZone = try Self.zone(value)
            default:
                throw .invalid(
                    "a policy has quota, ip, country, signals, healthReports, consent, personal and timeZone; \(name) means "
                        + "nothing here")
            }
        }
        return policy
    }

    package var json: JSON {
        [
            "quota": quota.json, "ip": .string(address.rawValue), "country": .string(country.rawValue),
            "signals": signals.json, "healthReports": healthReports.json, "consent": consent.json,
            "personal": personal.json, "timeZone": .string(timeZone.shownName),
        ]
    }

    private static func zone(_ json: JSON) throws(Refusal) -> TimeZone? {
        guard !json.isNull else { return nil }
        guard let name = json.stringValue else { throw .invalid("timeZone is a text, such as Europe/Berlin") }
        return name == TimeZone?.none.shownName ? nil : try TimeZone(named: name)
    }

    /// The policy for the database. A node of a version before countries, personal properties or time zones reads it, too, as
    /// long as it says nothing of them.
    package var stored: JSON {
        var stored = json
        if country == .auto { stored["country"] = nil }
        if personal.names.isEmpty { stored["personal"] = nil }
        if timeZone == nil { stored["timeZone"] = nil }
        return stored
    }
}

/// Which share of the clients reports how live plugins and delivery do.
package struct HealthSampling: Sendable, Equatable {
    /// From 0, none, to 1, all.
    var sampleRate = 1.0

    package init() {}

    /// Parses the form in which a policy has it.
    package init(_ json: JSON) throws(Refusal) {
        guard let members = json.objectValue else { throw .invalid("healthReports is an object") }
        for (name, value) in members {
            guard name == "sampleRate", let rate = value.doubleValue, (0...1).contains(rate) else {
                throw .invalid("healthReports has a sampleRate from 0 to 1, and nothing else")
            }
            sampleRate = rate
        }
    }

    package var json: JSON { ["sampleRate": rate] }

    package var rate: JSON { JSONNumber(sampleRate).map(JSON.number) ?? 1 }
}
