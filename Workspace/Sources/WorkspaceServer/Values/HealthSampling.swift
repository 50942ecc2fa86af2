import TributaryJSON

/// Which share of the clients reports how live plugins and delivery do.
struct HealthSampling: Sendable, Equatable {
    /// From 0, none, to 1, all.
    var sampleRate = 1.0

    init() {}

    /// Parses the form in which a policy has it.
    init(_ json: JSON) throws(Refusal) {
        guard let members = json.objectValue else { throw .invalid("healthReports is an object") }
        for (name, value) in members {
            guard name == "sampleRate", let rate = value.doubleValue, (0...1).contains(rate) else {
                throw .invalid("healthReports has a sampleRate from 0 to 1, and nothing else")
            }
            sampleRate = rate
        }
    }

    var json: JSON { ["sampleRate": rate] }

    var rate: JSON { JSONNumber(sampleRate).map(JSON.number) ?? 1 }
}
