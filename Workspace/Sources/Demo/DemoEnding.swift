/// When the workspace of the demo stops.
enum DemoEnding: Equatable {
    /// When somebody presses Ctrl-C.
    case onRequest
    /// At the end, as --once says.
    case once
    /// At the end, because nobody is there to press Ctrl-C.
    case withoutTerminal

    init(isOnce: Bool, isTerminal: Bool) { self = isOnce ? .once : isTerminal ? .onRequest : .withoutTerminal }

    /// For people.
    var text: String {
        switch self {
        case .onRequest: "up until Ctrl-C"
        case .once: "stops now; without --once, on a terminal, it stays up"
        case .withoutTerminal: "stops now, because the output is not a terminal; on one it stays up"
        }
    }
}
