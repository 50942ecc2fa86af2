extension RequestScan {
    /// The members of events that `subjects` needs.
    static let subjectMembers: [StaticString] = ["userId", "anonymousId"]

    /// Everybody whom the events of a batch name, when it was scanned for `subjectMembers`.
    var subjects: Set<TraceSubject> {
        var subjects: Set<TraceSubject> = []
        for case let event? in objects {
            if let id = event.text("userId") { subjects.insert(.user(id)) }
            if let id = event.text("anonymousId") { subjects.insert(.anonymous(id)) }
        }
        return subjects
    }
}
