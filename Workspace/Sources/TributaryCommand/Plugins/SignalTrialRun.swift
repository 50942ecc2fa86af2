import Foundation
import TributaryJSON
import TributaryPluginTestKit
import WorkspaceCore

/// The findings about a generator, and which events it makes of a session of signals.
struct SignalTrialRun {
    /// The name of the script in findings and faults.
    private static let name = "plugins.js"
    /// After this number of seconds, no further signal is played.
    private static let patience = 10.0
    /// The most signals that the answer shows with their events.
    private static let shownResults = 500

    private let review: BundleReview
    private let log = TrialLog()
    private var played = 0
    private var made = 0
    private var unreadable = 0
    private var isComplete = true
    private var results: [JSON] = []

    /// - Parameter known: what the workspace knows about the source.
    init(source: String, signals: [JSON], known: KnownSource?) {
        review = BundleReview(bytes: [UInt8](source.utf8), name: Self.name, known: known)
        guard review.isUsable, review.hasGenerator,
            let testRun = try? SignalTestRun(source: source, name: Self.name, console: log.add)
        else { return }
        let end = ContinuousClock.now + .seconds(Self.patience)
        for (position, signal) in signals.enumerated() {
            guard ContinuousClock.now < end, !testRun.isOver else {
                isComplete = false
                break
            }
            if SignalTestRun.isUnreadable(signal) { unreadable += 1 }
            take(testRun.play(signal), at: position)
        }
    }

    private mutating func take(_ result: SignalTestResult, at position: Int) {
        played += 1
        made += result.events.count
        if let fault = result.fault { log.count(fault: fault.description) }
        guard !result.events.isEmpty || result.fault != nil, results.count < Self.shownResults else { return }
        results.append([
            "position": .number(position), "events": .array(result.events),
            "fault": result.fault.map { .string($0.description) } ?? .null,
        ])
    }

    /// The answer, in the form that `openapi.json` describes.
    var json: JSON {
        [
            "usable": .bool(review.isUsable), "findings": .array(review.findings.map(\.json)),
            "generator": .bool(review.hasGenerator), "signals": .number(played), "unreadable": .number(unreadable),
            "complete": .bool(isComplete), "events": .number(made), "faults": log.faultsJSON,
            "console": log.consoleJSON, "results": .array(results),
        ]
    }
}
