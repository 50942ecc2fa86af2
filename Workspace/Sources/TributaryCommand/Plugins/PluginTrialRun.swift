import Foundation
import TributaryJSON
import TributaryPluginTestKit
import WorkspaceServer

/// The findings about a bundle, and what it does to events.
struct PluginTrialRun {
    /// The name of the bundle in findings and faults.
    private static let name = "plugins.js"
    /// Seconds after which no further event is tried.
    private static let patience = 10.0
    /// Events that are shown with what happened to them.
    private static let shownEvents = 50
    /// Lines of the console that are shown, and bytes of each.
    private static let consoleLines = 100
    private static let consoleLineBytes = 500

    /// Collects the console's lines, which come while the bundle runs.
    private final class ConsoleLines {
        var lines: [String] = []

        func add(_ level: String, _ line: String) {
            guard lines.count < consoleLines else { return }
            lines.append("\(level): \(String(decoding: line.utf8.prefix(consoleLineBytes), as: UTF8.self))")
        }
    }

    private let review: BundleReview
    private let console = ConsoleLines()
    private var tried = 0
    private var isComplete = true
    private var (changed, dropped, failed, made) = (0, 0, 0, 0)
    private var examples: [JSON] = []
    private var faults: [(text: String, count: Int)] = []
    private var microseconds: [Double] = []

    init(_ request: PluginTrialRequest) {
        review = BundleReview(bytes: [UInt8](request.source.utf8), name: Self.name)
        guard review.isUsable, !request.events.isEmpty,
            let testRun = try? PluginTestRun(source: request.source, name: Self.name, console: console.add)
        else { return }
        for fault in testRun.faultsOfUpdate { count(fault) }
        let end = ContinuousClock.now + .seconds(Self.patience)
        for event in request.events {
            guard ContinuousClock.now < end else {
                isComplete = false
                break
            }
            take(testRun.run(event))
        }
    }

    private mutating func take(_ result: PluginTestResult) {
        tried += 1
        made += result.sent.count
        microseconds.append(result.microseconds)
        for fault in result.faults { count(fault) }
        if !result.faults.isEmpty { failed += 1 }
        if result.after == nil { dropped += 1 } else if result.after != result.before { changed += 1 }
        let isShown = result.after != result.before || !result.sent.isEmpty || !result.faults.isEmpty
        if isShown, examples.count < Self.shownEvents { examples.append(Self.example(result)) }
    }

    private mutating func count(_ fault: PluginTestFault) {
        if let index = faults.firstIndex(where: { $0.text == fault.text }) {
            faults[index].count += 1
        } else if faults.count < Self.shownEvents {
            faults.append((fault.text, 1))
        }
    }

    private static func example(_ result: PluginTestResult) -> JSON {
        var json = result.json
        json["made"] = .array(result.sent)
        json["faults"] = .array(result.faults.map { .string($0.text) })
        return json
    }

    /// The answer, in the form that `openapi.json` describes.
    var json: JSON {
        let sorted = microseconds.sorted()
        let high = sorted.isEmpty ? nil : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        return [
            "usable": .bool(review.isUsable), "bytes": .number(JSONNumber(review.bytes)),
            "loadMilliseconds": Self.number(review.loadSeconds.map { $0 * 1000 }),
            "findings": .array(review.findings.map(Self.json)), "plugins": .array(review.plugins.map(Self.json)),
            "generator": .bool(review.hasGenerator),
            "events": .number(JSONNumber(tried)), "complete": .bool(isComplete),
            "changed": .number(JSONNumber(changed)), "dropped": .number(JSONNumber(dropped)),
            "failed": .number(JSONNumber(failed)), "made": .number(JSONNumber(made)),
            "medianMicroseconds": Self.number(sorted.isEmpty ? nil : sorted[sorted.count / 2]),
            "p99Microseconds": Self.number(high),
            "faults": .array(faults.map { ["text": .string($0.text), "count": .number(JSONNumber($0.count))] }),
            "console": .array(console.lines.map(JSON.string)), "examples": .array(examples),
        ]
    }

    private static func number(_ value: Double?) -> JSON {
        value.flatMap { JSONNumber(($0 * 10).rounded() / 10) }.map(JSON.number) ?? .null
    }

    private static func json(_ finding: BundleReview.Finding) -> JSON {
        [
            "severity": .string(finding.severity.rawValue), "message": .string(finding.message),
            "line": finding.line.map { .number(JSONNumber($0)) } ?? .null,
        ]
    }

    private static func json(_ plugin: TestedPlugin) -> JSON {
        [
            "name": .string(plugin.name), "type": .string(plugin.type),
            "destination": plugin.destination.map(JSON.string) ?? .null,
        ]
    }
}
