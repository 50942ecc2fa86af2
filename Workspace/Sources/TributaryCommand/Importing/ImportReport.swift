/// What an import says on the way, and at its end.
struct ImportReport {
    private static let shownUnreadable = 5

    private let file: String
    private var progress = Progress()
    private var events = 0
    private var unreadable = 0
    private var lastLine = 0

    init(file: String) { self.file = file }

    mutating func read(_ item: ImportItem, share: Double) {
        progress.show(share, events: events)
        guard case .unreadable(let reason) = item.content else { return }
        unreadable += 1
        guard unreadable <= Self.shownUnreadable else { return }
        progress.clear()
        Console.error("\(file):\(item.line): \(reason); it is left out")
    }

    mutating func sent(_ batch: ImportBatch) {
        events += batch.count
        lastLine = batch.lastLine
    }

    mutating func clear() { progress.clear() }

    var whereToGoOn: String {
        lastLine == 0
            ? "nothing was sent"
            : "\(events.grouped) events were taken; go on with --from-line \(lastLine + 1), or run the same command again"
    }

    mutating func finish() {
        progress.clear()
        if unreadable > 0 { Console.error("\(unreadable.grouped) lines could not be read") }
        print("\(events.grouped) events were taken")
    }
}
