/// The output of an import, during its work and at its end.
struct ImportReport {
    private static let shownRejected = 5

    private let file: String
    private var progress = Progress()
    private var stored = 0
    private var repeated = 0
    private var rejected = 0
    private var suppressed = 0
    /// Events that the workspace accepted and had not stored yet when it answered.
    private var waiting = 0
    private var lastLine = 0

    init(file: String) { self.file = file }

    private var sent: Int { stored + repeated + suppressed + waiting }

    mutating func show(_ share: Double) { progress.show(share, events: sent) }

    mutating func read(_ item: ImportItem) {
        if case .unreadable(let reason) = item.content { reject(line: item.line, reason) }
    }

    mutating func sent(_ batch: ImportBatch, _ outcome: ImportOutcome?) {
        lastLine = batch.lines.last ?? lastLine
        guard let outcome else { return waiting += batch.count }
        stored += outcome.stored
        repeated += outcome.repeated
        suppressed += outcome.suppressed
        for event in outcome.rejected {
            reject(line: batch.lines.indices.contains(event.index) ? batch.lines[event.index] : lastLine, event.reason)
        }
    }

    private mutating func reject(line: Int, _ reason: String) {
        rejected += 1
        guard rejected <= Self.shownRejected else { return }
        progress.clear()
        Console.error("\(file):\(line): \(reason.printable); it is left out")
    }

    /// Ends the line that shows the progress.
    func stop() { progress.finish() }

    var whereToGoOn: String {
        lastLine == 0
            ? "nothing was sent"
            : "\(summary); go on with --from-line \(lastLine + 1), or run the same command again"
    }

    private var summary: String {
        let parts = [
            "\(stored.grouped) \(stored == 1 ? "event" : "events") stored", "\(repeated.grouped) repeated",
            "\(rejected.grouped) rejected",
        ]
        let left = suppressed > 0 ? ["\(suppressed.grouped) of suppressed users left out"] : []
        return (parts + left + (waiting > 0 ? ["\(waiting.grouped) sent and not stored yet"] : [])).joined(
            separator: ", ")
    }

    /// - Throws: when no line was an event.
    mutating func finish() throws(Failure) {
        progress.finish()
        if rejected > Self.shownRejected {
            Console.error("and \((rejected - Self.shownRejected).grouped) more that are left out")
        }
        print(summary)
        if sent == 0 { throw Failure("\(file) holds no event that could be stored") }
    }
}
