import TributaryJSON

extension QueryReader {
    /// The plan of a roll-out in the query of a deployment; nil when none is given.
    package func rolloutPlan() throws -> RolloutPlan? {
        let numbers = [
            "holdSeconds", "maximumFaultRate", "maximumDropChange", "maximumTimeChange", "minimumDevices",
            "minimumEvents", "shadow",
        ].compactMap { name in text(name).map { (name, $0) } }
        guard let stages = text("stages") else {
            if let stray = numbers.first { throw Refusal.invalid("\(stray.0) needs the stages of a plan") }
            return nil
        }
        var plan: JSON = [
            "stages": .array(
                stages.split(separator: ",", omittingEmptySubsequences: false).map {
                    .number(Int($0) ?? 0)
                })
        ]
        for (name, text) in numbers {
            guard let number = Double(text).flatMap({ JSONNumber($0) }) else {
                throw Refusal.invalid("\(name) must be a number")
            }
            plan[name] = .number(number)
        }
        return try RolloutPlan(plan)
    }

    /// The differences from the version before that a deployment announces, one on each line of `announce`.
    package func announcedDifferences() throws -> [AnnouncedDifference] {
        guard let announced = text("announce") else { return [] }
        guard text("shadow") != nil else { throw Refusal.invalid("announce needs shadow, the stage that compares") }
        return try AnnouncedDifference.list(announced.split(whereSeparator: \.isNewline).map(String.init))
    }
}
