import Foundation

/// How many days events are kept: from the command line, else from the environment.
enum RetainDays {
    static let variable = "TRIBUTARY_RETAIN_DAYS"
    static let standard = 90

    /// Nil keeps all.
    static func of(
        _ option: Int?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Failure) -> Int? {
        let named = if let option { option } else { try fromEnvironment(environment) }
        let days = named ?? standard
        guard (0...36_500).contains(days) else {
            throw Failure("days to keep are a number from 0, which keeps all, to 36500; not \(days)")
        }
        return days == 0 ? nil : days
    }

    private static func fromEnvironment(_ environment: [String: String]) throws(Failure) -> Int? {
        guard let text = environment[variable], !text.isEmpty else { return nil }
        guard let days = Int(text) else { throw Failure("\(variable) must be a number, not \(text)") }
        return days
    }
}
