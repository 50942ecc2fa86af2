/// When the workspace of the demo stops.
enum DemoEnding: Equatable {
    /// When the user presses Ctrl-C.
    case onRequest
    /// At the end, because of --once.
    case once
    /// At the end, because the output is not a terminal, so the user cannot press Ctrl-C.
    case withoutTerminal

    init(isOnce: Bool, isTerminal: Bool) { self = isOnce ? .once : isTerminal ? .onRequest : .withoutTerminal }

    /// The text for the terminal.
    var text: String {
        switch self {
        case .onRequest: "up until Ctrl-C"
        case .once: "stops now; without --once, on a terminal, it stays up"
        case .withoutTerminal: "stops now, because the output is not a terminal; on one it stays up"
        }
    }
}
