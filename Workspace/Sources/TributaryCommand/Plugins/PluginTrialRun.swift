import Foundation
import TributaryJSON
import TributaryPluginTestKit
import WorkspaceCore
import WorkspaceServer

/// The findings about a bundle, and what it does to events.
struct PluginTrialRun {
    /// The name of the bundle in findings and faults.
    private static let name = "plugins.js"
    /// After this number of seconds, no further event is tried.
    private static let patience = 10.0
    /// The most events that the answer shows with what happened to them.
    private static let shownEvents = 50

    private let review: BundleReview
    private let log = TrialLog()
    private var tried = 0
    private var isComplete = true
    private var (changed, dropped, failed, made) = (0, 0, 0, 0)
    /// How many events each plugin changed or dropped.
    private var touched: [String: Int] = [:]
    private var examples: [JSON] = []
    private var microseconds: [Double] = []
    private let devices: Int
    /// The differences in versions of the app that restrict scripts.
    private var apps: [JSON] = []

    /// - Parameters:
    ///   - known: what the workspace knows about the source.
    ///   - apps: what versions of the app restrict scripts to.
    ///   - devices: how many devices reported any version.
    init(source: String, events: [JSON], known: KnownSource?, apps: [AppRestriction] = [], devices: Int = 0) {
        self.devices = devices
        review = BundleReview(bytes: [UInt8](source.utf8), name: Self.name, known: known)
        guard review.isUsable, !events.isEmpty,
            let testRun = try? PluginTestRun(source: source, name: Self.name, console: log.add)
        else { return }
        for fault in testRun.faultsOfUpdate { log.count(fault: fault.text) }
        let end = ContinuousClock.now + .seconds(Self.patience)
        var results: [PluginTestResult] = []
        for event in events {
            guard ContinuousClock.now < end else {
                isComplete = false
                break
            }
            let result = testRun.run(event)
            take(result)
            if !apps.isEmpty { results.append(result) }
        }
        var restricted = RestrictedTrial(source: source, name: Self.name, results: results, seconds: Self.patience)
        let hasGenerator = review.hasGenerator
        self.apps = apps.map { app in restricted.json(of: app, hasGenerator: hasGenerator) }
    }

    private mutating func take(_ result: PluginTestResult) {
        tried += 1
        made += result.sent.count
        for plugin in Set(result.changedBy) { touched[plugin, default: 0] += 1 }
        microseconds.append(result.microseconds)
        for fault in result.faults { log.count(fault: fault.text) }
        if !result.faults.isEmpty { failed += 1 }
        if result.after == nil { dropped += 1 } else if result.after != result.before { changed += 1 }
        let isShown = result.after != result.before || !result.sent.isEmpty || !result.faults.isEmpty
        if isShown, examples.count < Self.shownEvents { examples.append(Self.example(result)) }
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
            "usable": .bool(review.isUsable), "bytes": .number(review.bytes),
            "loadMilliseconds": Self.number(review.loadSeconds.map { $0 * 1000 }),
            "findings": .array(review.findings.map(\.json)), "plugins": .array(review.plugins.map(json)),
            "generator": .bool(review.hasGenerator), "events": .number(tried), "complete": .bool(isComplete),
            "changed": .number(changed), "dropped": .number(dropped), "failed": .number(failed), "made": .number(made),
            "medianMicroseconds": Self.number(sorted.isEmpty ? nil : sorted[sorted.count / 2]),
            "p99Microseconds": Self.number(high), "faults": log.faultsJSON, "console": log.consoleJSON,
            "examples": .array(examples), "devices": .number(devices), "apps": .array(apps),
        ]
    }

    private static func number(_ value: Double?) -> JSON {
        value.flatMap { JSONNumber(($0 * 10).rounded() / 10) }.map(JSON.number) ?? .null
    }

    private func json(_ plugin: TestedPlugin) -> JSON {
        [
            "touched": .number(touched[plugin.name] ?? 0), "name": .string(plugin.name), "type": .string(plugin.type),
            "destination": .string(plugin.destination),
        ]
    }
}

extension BundleReview.Finding {
    /// The finding, in the form that `openapi.json` describes.
    ///
    /// The line is one of the bundle's text, which the page shows. Another place is a part of the message.
    var json: JSON {
        let place = scriptLine == nil ? file.map { "\($0)\(line.map { ":\($0)" } ?? ""): " } ?? "" : ""
        return [
            "severity": .string(severity.rawValue), "message": .string(place + message), "line": .number(scriptLine),
        ]
    }
}
