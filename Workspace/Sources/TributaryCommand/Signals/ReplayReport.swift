import Foundation
import TributaryJSON
import TributaryPluginTestKit

/// The output of `signals replay`, for each signal and at the end.
final class ReplayReport {
    private static let shownUnreadable = 5

    private let writesJSON: Bool
    private let style: OutputStyle
    private(set) var signals = 0
    private var events = 0
    private(set) var faults = 0
    private var unreadable = 0
    private var obfuscated = 0

    init(writesJSON: Bool) {
        self.writesJSON = writesJSON
        style = writesJSON ? .errors : .output
    }

    /// A line that a script wrote.
    func console(_ level: String, _ line: String) { Console.error("\(level): \(line)") }

    func take(_ line: EventLines.Line, _ testRun: SignalTestRun) {
        do throws(Failure) {
            play(try Self.signal(line), line, testRun)
        } catch {
            unreadable += 1
            if unreadable <= Self.shownUnreadable { say("line \(line.number) \(error); it is left out") }
        }
    }

    private static func signal(_ line: EventLines.Line) throws(Failure) -> JSON {
        let signal = JSON.object(try line.object())
        guard signal["type"]?.stringValue != nil else { throw Failure("is no signal: it has no type") }
        return signal
    }

    private func play(_ signal: JSON, _ line: EventLines.Line, _ testRun: SignalTestRun) {
        signals += 1
        if SignalTestRun.isUnreadable(signal) { obfuscated += 1 }
        let result = testRun.play(signal)
        events += result.events.count
        let place = result.index.map { "signal \($0)" } ?? "line \(line.number)"
        if let fault = result.fault {
            faults += 1
            say("\(style.bad("fault"))  \(place): \(fault)")
        }
        if writesJSON { return result.lines.forEach { print($0.description) } }
        for event in result.events {
            print("\(place), \(signal["type"]?.stringValue ?? ""): \(style.good("makes \(EventTitle.text(event))"))")
            for part in ["properties", "traits"] { if let values = event[part] { print("  \(part): \(values)") } }
        }
    }

    func finish() {
        if unreadable > 0 { say("\(unreadable.grouped) lines could not be read") }
        if obfuscated > 0 {
            Console.error(
                "\(style.bold("warning"))  \(obfuscated.grouped) of \(signals.grouped) signals are unreadable: a broadcaster made "
                    + "all letters X and all digits 9. On the device a generator gets the real texts and can make other events. "
                    + "SignalsConfiguration(obfuscateDebugSignals: false), or WebhookBroadcaster(url:obfuscate: false), sends "
                    + "them readable from debug builds; SessionRecorder records them readable.")
        }
        say("\(signals.grouped) signals: \(events.grouped) events, \(faults.grouped) faults")
    }

    private func say(_ line: String) { if writesJSON { Console.error(line) } else { print(line) } }
}
