package import TributaryJSON

/// Which automatic captures of signals devices run, and in which share of launches.
package struct SignalSwitches: Sendable, Equatable {
    /// One capture.
    struct Capture: Sendable, Equatable {
        var isEnabled = true
        /// The share of launches; nil for the common share.
        var sampleRate: Double?
    }

    /// The names of the captures in the settings.
    package static let names = ["network", "swiftUI", "uiKit"]

    /// Whether devices keep their signals to themselves instead of sending them to the server.
    var isTrafficDisabled = false
    /// The share of launches for captures without a share of their own, from 0 to 1.
    var sampleRate = 1.0
    var captures: [String: Capture] = [:]

    package init() {}

    /// Parses the form in which the settings serve it.
    package init(_ json: JSON) throws(Refusal) {
        guard let members = json.objectValue else { throw .invalid("signals is an object") }
        for (name, value) in members {
            switch name {
            case "disableTraffic": isTrafficDisabled = try Self.bool(name, value)
            case "sampleRate": sampleRate = try Self.rate(name, value)
            case "sources": captures = try Self.captures(value)
            default:
                throw .invalid("signals has disableTraffic, sampleRate and sources; \(name) means nothing here")
            }
        }
    }

    private static func captures(_ json: JSON) throws(Refusal) -> [String: Capture] {
        guard let members = json.objectValue else { throw .invalid("sources is an object of captures") }
        var captures: [String: Capture] = [:]
        for (name, value) in members {
            guard names.contains(name), let switches = value.objectValue else {
                throw .invalid("sources has an object for each of \(names.joined(separator: ", ")); not \(name)")
            }
            var capture = Capture()
            for (key, value) in switches {
                switch key {
                case "enabled": capture.isEnabled = try bool("\(name).enabled", value)
                case "sampleRate": capture.sampleRate = try rate("\(name).sampleRate", value)
                default: throw .invalid("\(name) has enabled and sampleRate; \(key) means nothing here")
                }
            }
            captures[name] = capture
        }
        return captures
    }

    private static func bool(_ name: String, _ value: JSON) throws(Refusal) -> Bool {
        guard let bool = value.boolValue else { throw .invalid("\(name) is true or false") }
        return bool
    }

    private static func rate(_ name: String, _ value: JSON) throws(Refusal) -> Double {
        guard let rate = value.doubleValue, (0...1).contains(rate) else {
            throw .invalid("\(name) is a number from 0 to 1")
        }
        return rate
    }

    /// The form in which the settings serve it and operators write it.
    package var json: JSON {
        var json: JSON = [
            "disableTraffic": .bool(isTrafficDisabled), "sampleRate": .number(JSONNumber(sampleRate) ?? JSONNumber(1)),
        ]
        guard !captures.isEmpty else { return json }
        var sources = JSONObject()
        for name in Self.names {
            guard let capture = captures[name] else { continue }
            var entry: JSON = ["enabled": .bool(capture.isEnabled)]
            entry["sampleRate"] = capture.sampleRate.flatMap { JSONNumber($0).map(JSON.number) }
            sources[name] = entry
        }
        json["sources"] = .object(sources)
        return json
    }
}
