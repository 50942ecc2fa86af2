import Foundation

/// Shows the progress: a bar that redraws itself on a terminal, else a line for every tenth.
struct Progress {
    private static let width = 40

    let total: Int
    let isTerminal: Bool
    private var shown: Int?

    init(total: Int, isTerminal: Bool) { (self.total, self.isTerminal) = (total, isTerminal) }

    /// The text to write after `done` events; nil when it would look the same as before.
    mutating func update(_ done: Int) -> String? {
        let percent = total > 0 ? min(100, done * 100 / total) : 100
        let step = isTerminal ? percent : percent / 10 * 10
        guard step != shown, isTerminal || step > 0 else { return nil }
        shown = step
        return isTerminal ? bar(percent, done) : "storefront: \(step) % (\(done) of \(total))\n"
    }

    private func bar(_ percent: Int, _ done: Int) -> String {
        let filled = percent * Self.width / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        return "\r\(bar) \(percent) %  \(done) of \(total)\(percent == 100 ? "\n" : "")"
    }
}
