import ProgramSupport

/// Shows the progress: one line that redraws itself on a terminal, else a line for every tenth.
struct ProgressView {
    private static let width = 32

    let total: Int
    let isTerminal: Bool
    private var shown = ""
    private var tenths = 0

    init(total: Int, isTerminal: Bool) { (self.total, self.isTerminal) = (total, isTerminal) }

    /// The text to write now; nil when it would look the same as before.
    mutating func update(_ statistics: Statistics) -> String? {
        let done = min(statistics.accountedFor, total)
        let percent = total > 0 ? done * 100 / total : 100
        let counts = "\(Grouped.text(statistics.stored)) stored, \(Grouped.text(statistics.tracedDrops)) dropped"
        guard isTerminal else {
            guard percent / 10 > tenths else { return nil }
            tenths = percent / 10
            return "  \(tenths * 10) %  \(counts)\n"
        }
        let filled = percent * Self.width / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        let line = "  \(bar) \(percent) %  \(counts)"
        guard line != shown else { return nil }
        shown = line
        return "\r\u{1B}[K" + line
    }

    /// The text that clears the bar, so that another line can be written.
    var interruption: String { isTerminal ? "\r\u{1B}[K" : "" }
}
