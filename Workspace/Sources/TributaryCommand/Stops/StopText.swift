import TributaryJSON

/// Stops and how far they have come, for a terminal.
struct StopText {
    let text: String

    /// - Parameter answer: that of `stops`.
    init(_ answer: JSON) throws(Failure) {
        let stops = try answer.list("stops")
        guard !stops.isEmpty else {
            text = "nothing is or was stopped on devices"
            return
        }
        let (devices, sampled) = (try answer.number("devices"), try answer.number("sampled"))
        var lines: [String] = []
        for stop in stops {
            lines.append(try Self.title(stop) + Self.end(stop))
            if stop["active"] == true { lines += Self.reach(stop["reach"] ?? .null).map { "  " + $0 } }
        }
        if sampled < devices {
            lines += ["", "by a sample of \(sampled.grouped) of the \(devices.grouped) devices of the last 24 hours"]
        }
        text = lines.joined(separator: "\n")
    }

    /// The number of a stop, and its target.
    static func title(_ stop: JSON) throws(Failure) -> String {
        let number = try stop.number("number")
        let target: String
        if let destination = stop["destination"]?.stringValue {
            target = "the destination \(destination.printable)"
        } else {
            target = stop["version"]?.intValue.map { "version \($0) of the live plugins" } ?? "the live plugins"
        }
        return "stop \(number): \(target)\(stop["drill"] == true ? ", as a drill" : "")"
    }

    private static func end(_ stop: JSON) -> String {
        if let ended = stop["endedAt"]?.stringValue { return ", ended \(ended.printable)" }
        let until = stop["until"]?.stringValue?.printable ?? "?"
        return stop["active"] == true ? ", until \(until)" : ", over since \(until)"
    }

    private static func reach(_ reach: JSON) -> [String] {
        func count(_ name: String) -> Int { reach[name]?.intValue ?? 0 }
        let able = count("confirmed") + count("expected") + count("silent")
        guard able + count("unable") > 0 else { return ["no device has reported in the last 24 hours"] }
        func share(_ name: String) -> String {
            "\(count(name).grouped) (\(RestrictionText.share(count(name), of: able)))"
        }
        var lines = [
            "devices: \(share("confirmed")) have heard of it, \(share("expected")) will, "
                + "\(share("silent")) were not heard of when they should have looked, and hear it when they start"
        ]
        if count("unable") > 0 { lines.append("\(count("unable").grouped) have a client that does not say it") }
        lines += (reach["forecasts"]?.elements ?? []).map(forecast)
        return lines
    }

    private static func forecast(_ forecast: JSON) -> String {
        let share = "\(forecast["percent"]?.intValue ?? 0) % of them"
        switch forecast["state"]?.stringValue {
        case "reached": return "\(share) have heard of it"
        case "expected": return "\(share) by \(forecast["at"]?.stringValue?.printable ?? "?")"
        default: return "\(share) not before more devices start"
        }
    }
}
