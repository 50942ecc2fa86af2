/// What a file of the client is, by its path: `…/<write key>/<queue>/<log>/<file>`.
struct StoredFile {
    enum Log: Substring {
        case inbox, outbox
    }

    let log: Log?
    private let name: String

    init(_ path: String) {
        let parts = path.split(separator: "/").suffix(3)
        name = parts.last.map(String.init) ?? ""
        log = parts.dropLast().last.flatMap(Log.init)
    }

    /// Whether it holds records; a spare has none yet.
    var isSegment: Bool { name.hasSuffix(".tjl") && !isSpare }
    var isInboxSegment: Bool { log == .inbox && isSegment }
    private var isSpare: Bool { name.hasPrefix("spare") }

    var spareMade: Step? { isSpare ? choose(.inboxSpareMade, .outboxSpareMade) : nil }
    var deleted: Step? { isSegment ? choose(.inboxSegmentDeleted, .outboxSegmentDeleted) : nil }

    /// The step that a write to that place is.
    func written(at offset: Int) -> Step? {
        if name.hasPrefix("mark") { return choose(.inboxMarkWritten, .outboxMarkWritten) }
        guard isSegment else { return nil }
        return offset == 0
            ? choose(.inboxSegmentBegun, .outboxSegmentBegun) : choose(.inboxAppended, .outboxAppended)
    }

    /// The step that a renaming to this name is.
    var named: Step? {
        if name == "mark" { return choose(.inboxMarkRenamed, .outboxMarkRenamed) }
        return isSegment ? choose(.inboxSegmentNamed, .outboxSegmentNamed) : nil
    }

    private func choose(_ inbox: Step, _ outbox: Step) -> Step? {
        switch log {
        case .inbox: inbox
        case .outbox: outbox
        case nil: nil
        }
    }
}
