extension Programme {
    /// The events of a recording. Only the bytes are kept: an event is read once to check it and again to play it.
    static func events(_ file: InputFile) throws(InputError) -> Programme {
        guard file.count > 0 else { throw InputError(file: file.name, line: nil, reason: "there are no events in it") }
        for index in 0..<file.count { _ = try file.read(index, RecordedEvent.event) }
        return Programme(
            eventCount: file.count, description: "\(file.count) recorded events", callCount: file.count
        ) { index throws(InputError) in
            .recorded(try file.read(index, RecordedEvent.event))
        }
    }
}
