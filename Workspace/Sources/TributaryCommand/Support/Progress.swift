/// Shows how much of a long file has been read: one line that redraws itself, only on a terminal.
struct Progress {
    private static let eventsBetween = 2_000
    private static let width = 30

    private let isShown: Bool
    private var isOnScreen = false
    private var calls = 0

    init(isShown: Bool = Console.errorsAreOnTerminal) { self.isShown = isShown }

    /// - Parameter share: the share of the file that has been read, from 0 to 1.
    mutating func show(_ share: Double, events: Int) {
        calls += 1
        guard isShown, calls.isMultiple(of: Self.eventsBetween) else { return }
        isOnScreen = true
        let filled = Int(share * Double(Self.width))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
        Console.write("\r\u{1B}[K[\(bar)] \(Int(share * 100)) %  \(events.grouped) events")
    }

    /// Makes room for other lines.
    mutating func clear() {
        if isOnScreen { Console.write("\r\u{1B}[K") }
        isOnScreen = false
    }
}
