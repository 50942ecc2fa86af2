import Foundation
import Tributary

/// The client as `scripts/power-test` runs it: once with what it does recorded, then on each state of the disk.
///
///     PowerProbe record FOLDER WORKLOAD LIFE    says on its standard output what it was promised, a line with one write each
///     PowerProbe check                          reads a folder, a first consent, a durability and the seconds that a
///                                               delivery may take, from a line each; answers with a line of JSON
@main
enum PowerProbe {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Whoever started it may be gone.
        alarm(1200)
        switch arguments.first {
        case "record" where arguments.count == 4:
            guard let workload = Workload(rawValue: arguments[2]) else { exit(64) }
            await Recording(folder: arguments[1], workload: workload, life: arguments[3]).run()
        case "check" where arguments.count == 1:
            while let line = readLine() {
                alarm(1200)
                let parts = line.split(separator: " ").map(String.init)
                guard parts.count == 4, let durability = Durability(named: parts[2]), let patience = Double(parts[3])
                else { exit(64) }
                let launch = NextLaunch(
                    folder: parts[0], consent: parts[1], durability: durability, patience: patience)
                say(await launch.run())
            }
        default: exit(64)
        }
    }

    /// Writes a line at once, with a single call: the recorder puts it between the calls that it sees.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    }
}

extension Durability {
    /// A setting of the recorded clients.
    fileprivate init?(named name: String) {
        switch name {
        case "powerLoss": self = .powerLoss
        case "interval": self = .interval(0.2)
        default: return nil
        }
    }
}
