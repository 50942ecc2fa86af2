import TributaryJSON
public import TributaryTesting

/// Plays golden sessions into a bundle of live plugins.
///
/// Each session has scripts of its own, as in a newly installed app. Its events go through the plugins and its signals to
/// `processSignal`, in their order.
/// Threading: one caller at a time.
///
/// ```swift
/// import TributaryPluginTestKit
/// import TributaryTesting
///
/// func showReview(of script: String, with golden: GoldenSessions) throws {
///     let review = try GoldenReplay(source: script, name: "plugins.js").review(of: golden)
///     print(review.lines.joined(separator: "\n"))
/// }
/// ```
public struct GoldenReplay {
    /// Gets each fault of the scripts.
    public var fault: ((String) -> Void)?
    /// Gets the lines that scripts write to their console, with the level.
    public var console: ((_ level: String, _ line: String) -> Void)?

    private let source: String
    private let name: String

    /// - Parameters:
    ///   - source: the script; an empty one changes nothing.
    ///   - name: the name of the script in faults.
    public init(source: String, name: String) { (self.source, self.name) = (source, name) }

    /// The outcome of each event and signal of a session.
    /// - Throws: `PluginTestError` when the bundle cannot be loaded.
    public func outcomes(of session: GoldenSession) throws(PluginTestError) -> [GoldenOutcome] {
        guard !source.isEmpty else { return session.records.map { .untouched($0.input) } }
        let testRun = try PluginTestRun(source: source, name: name, console: console)
        for fault in testRun.faultsOfUpdate { self.fault?(fault.text) }
        return session.records.map { record in
            switch record.input {
            case .event(let event):
                let result = testRun.run(event)
                for fault in result.faults { self.fault?(fault.text) }
                return GoldenOutcome(after: result.after, made: result.sent)
            case .signal(let signal):
                guard testRun.hasGenerator else { return .untouched(record.input) }
                let (made, faults) = testRun.play(signal)
                for fault in faults { self.fault?(fault) }
                return GoldenOutcome(after: nil, made: made)
            }
        }
    }

    /// The sessions with the outcomes under this bundle in place of their own.
    /// - Throws: `PluginTestError` when the bundle cannot be loaded.
    public func recorded(_ session: GoldenSession) throws(PluginTestError) -> GoldenSession {
        let outcomes = try outcomes(of: session)
        var session = session
        for (place, outcome) in outcomes.enumerated() { session.records[place].outcome = outcome }
        return session
    }

    /// The differences between the outcomes of a session and those under this bundle. The session is played twice, so that a
    /// difference by chance is not taken for one of the bundle.
    /// - Throws: `PluginTestError` when the bundle cannot be loaded.
    public func comparisons(of session: GoldenSession) throws(PluginTestError) -> [GoldenComparison] {
        let after = try outcomes(of: session)
        // Faults and lines of the second run are those of the first.
        let again = try GoldenReplay(source: source, name: name).outcomes(of: session)
        return session.records.indices.map { place in
            GoldenComparison(before: session.records[place].outcome, after: after[place], again: again[place])
        }
    }

    /// The differences between the outcomes of a file and those under this bundle.
    /// - Throws: `PluginTestError` when the bundle cannot be loaded.
    public func review(of golden: GoldenSessions) throws(PluginTestError) -> GoldenReview {
        var review = GoldenReview(plan: golden.plan)
        for session in golden.sessions { review.add(session: try comparisons(of: session)) }
        return review
    }
}
