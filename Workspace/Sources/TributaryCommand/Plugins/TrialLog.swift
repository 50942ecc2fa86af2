import TributaryJSON
import WorkspaceCore

/// The faults and the lines of the console while a bundle is tried, both bounded.
final class TrialLog {
    /// Different faults that are kept.
    private static let mostFaults = 50
    /// Lines that are kept, and bytes of each.
    private static let mostLines = 100
    private static let lineBytes = 500

    private var lines: [String] = []
    private var faults: [(text: String, count: Int)] = []

    /// Takes a line that a script wrote to its console.
    func add(_ level: String, _ line: String) {
        guard lines.count < Self.mostLines else { return }
        lines.append("\(level): \(String(decoding: line.utf8.prefix(Self.lineBytes), as: UTF8.self))")
    }

    /// Takes a fault. The same text counts again.
    func count(fault text: String) {
        if let index = faults.firstIndex(where: { $0.text == text }) {
            faults[index].count += 1
        } else if faults.count < Self.mostFaults {
            faults.append((text, 1))
        }
    }

    /// The faults, each once with its number.
    var texts: [String] { faults.map { $0.count > 1 ? "\($0.count.grouped) times: \($0.text)" : $0.text } }

    /// The faults with their counts.
    var faultsJSON: JSON { .array(faults.map { ["text": .string($0.text), "count": .number($0.count)] }) }

    var consoleJSON: JSON { .strings(lines) }
}
