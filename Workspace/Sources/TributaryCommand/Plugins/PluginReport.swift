import Foundation
import TributaryJSON
import TributaryPluginTestKit

/// The output of `plugin test`, for each event and at the end.
final class PluginReport {
    private static let shownUnreadable = 5

    private let writesJSON: Bool
    private let style: OutputStyle
    /// Changed events that are still to be shown.
    private var examples: Int
    private(set) var events = 0
    private var changed = 0
    private var dropped = 0
    private var sent = 0
    private var unreadable = 0
    /// Events with another result in the workspace, and the first of them.
    private var differing = 0
    private var firstDiffering: Int?
    private var faults: [String: Int] = [:]
    /// True when a plugin had a fault, in `update` or with an event.
    var hasFaults: Bool { !faults.isEmpty }
    private var faultOrder: [String] = []
    private var microseconds: [Double] = []
    private var progress = Progress()

    init(writesJSON: Bool, examples: Int) {
        (self.writesJSON, self.examples) = (writesJSON, examples)
        style = writesJSON ? .errors : .output
    }

    /// A line that a script wrote.
    func console(_ level: String, _ line: String) {
        progress.clear()
        Console.error("\(level): \(line)")
    }

    func loaded(_ testRun: PluginTestRun) {
        let names = testRun.plugins.map(\.name).joined(separator: ", ")
        say("\(style.bold(names.isEmpty ? "no plugins" : names)) loaded in \(Int(testRun.loadSeconds * 1000)) ms")
        for fault in testRun.faultsOfUpdate { note(fault, "update") }
    }

    func take(_ line: EventLines.Line, _ share: Double, _ testRun: PluginTestRun, _ inWorkspace: WorkspaceRun) {
        progress.show(share, events: events)
        do throws(Failure) {
            let result = testRun.run(.object(try line.object()))
            compare(result, inWorkspace.run(result.before), line)
            show(result, line)
        } catch {
            unreadable += 1
            if unreadable <= Self.shownUnreadable { say("line \(line.number) \(error); it is left out") }
        }
    }

    /// Ids and times of events that scripts make differ in any case.
    private func compare(_ result: PluginTestResult, _ other: WorkspaceRun.Outcome, _ line: EventLines.Line) {
        let title = { (event: JSON) in ["type", "event", "name"].map { event[$0] ?? .null } }
        guard result.after != other.event || result.sent.map(title) != other.made.map(title) else { return }
        differing += 1
        if firstDiffering == nil { firstDiffering = line.number }
    }

    private func show(_ result: PluginTestResult, _ line: EventLines.Line) {
        count(result)
        if writesJSON { return print(result.json.description) }
        for fault in result.faults { note(fault, "line \(line.number)") }
        show(result, line.number)
    }

    private func count(_ result: PluginTestResult) {
        events += 1
        sent += result.sent.count
        microseconds.append(result.microseconds)
        if writesJSON { for fault in result.faults { countFault(fault.text) } }
        guard let after = result.after else { return dropped += 1 }
        if after != result.before { changed += 1 }
    }

    private func show(_ result: PluginTestResult, _ line: Int) {
        guard result.after != result.before || !result.sent.isEmpty, examples > 0 else { return }
        examples -= 1
        let title = "line \(line), \(EventTitle.text(result.before)), \(Int(result.microseconds)) µs"
        guard let after = result.after else { return say("\(title): \(style.bad("dropped"))") }
        say("\(title):")
        for text in style.difference(result.before, after) { say(text) }
        for event in result.sent { say(style.good("  + makes \(EventTitle.text(event))")) }
    }

    /// Each fault is shown once, with its first place.
    private func note(_ fault: PluginTestFault, _ place: String) {
        if faults[fault.text] == nil { say("\(style.bad("fault"))  \(place): \(fault.text)") }
        countFault(fault.text)
    }

    private func countFault(_ text: String) {
        if faults[text] == nil { faultOrder.append(text) }
        faults[text, default: 0] += 1
    }

    func finish() {
        progress.finish()
        if unreadable > 0 { say("\(unreadable.grouped) lines could not be read") }
        for text in faultOrder where faults[text] ?? 0 > 1 || writesJSON {
            say("\(style.bad("fault"))  \((faults[text] ?? 0).grouped) times: \(text)")
        }
        say(
            "\(events.grouped) events: \(changed.grouped) changed, \(dropped.grouped) dropped, "
                + "\((events - changed - dropped).grouped) untouched, \(sent.grouped) made by scripts")
        guard !microseconds.isEmpty else { return }
        say(
            firstDiffering.map {
                "in the workspace, \(differing.grouped) events have another result, the first in line \($0)"
            } ?? "in the workspace, all events have the same result")
        let sorted = microseconds.sorted()
        let median = sorted[sorted.count / 2]
        let high = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        say("cost per event: median \(Self.text(median)) µs, 99 % within \(Self.text(high)) µs")
    }

    private static func text(_ microseconds: Double) -> String {
        String(format: microseconds < 10 ? "%.1f" : "%.0f", microseconds)
    }

    private func say(_ line: String) {
        progress.clear()
        if writesJSON { Console.error(line) } else { print(line) }
    }
}
