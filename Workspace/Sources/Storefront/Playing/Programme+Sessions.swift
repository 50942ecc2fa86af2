extension Programme {
    /// The visits of a sessions file, one after the other.
    static func sessions(_ file: InputFile) throws(InputError) -> Programme {
        guard file.count > 0 else {
            throw InputError(file: file.name, line: nil, reason: "there are no sessions in it")
        }
        var calls: [Call] = []
        for index in 0..<file.count {
            calls += try file.read(index) { json, _ throws(InputProblem) in
                try SessionScript(Session(json: json)).calls()
            }
        }
        let events = calls.reduce(0) { $0 + ($1.isEvent ? 1 : 0) }
        let all = calls
        return Programme(
            eventCount: events, description: "\(events) events in \(file.count) sessions", callCount: all.count
        ) { all[$0] }
    }
}
