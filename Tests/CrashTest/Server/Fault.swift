/// What the server does with one request.
enum Fault: String, CaseIterable, Sendable {
    case none
    /// The connection is reset before the body was read.
    case resetEarly
    /// The connection is reset, and nothing was stored.
    case resetLate
    /// Everything was stored, and then the connection is reset: the client cannot know.
    case answerLost
    /// Nothing is stored and no answer comes.
    case silence
    /// Everything was stored, but no answer comes.
    case silentConfirmation
    case tooMany
    case serverError
    case unavailable
    /// The answer comes, late but in time.
    case slow
    /// The answer comes when the client has stopped waiting.
    case tooSlow
    /// Everything was stored, and the answer breaks off in its body.
    case truncatedBody
    /// Nothing was stored, and the answer breaks off in its head.
    case truncatedHead

    /// Whether the server keeps the events although the client may not hear of it.
    var stores: Bool {
        switch self {
        case .none, .answerLost, .silentConfirmation, .slow, .tooSlow, .truncatedBody: true
        case .resetEarly, .resetLate, .silence, .tooMany, .serverError, .unavailable, .truncatedHead: false
        }
    }

    /// One of the faults in that many of a hundred requests.
    static func draw(percent: Int, _ random: inout SeededGenerator) -> Fault {
        random.chance(percent) ? allCases.dropFirst().randomElement(using: &random) ?? .none : .none
    }
}
