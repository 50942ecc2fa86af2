import ArgumentParser

/// A setting as it is written on a command line: `name=value`.
struct SettingsValue: ExpressibleByArgument {
    let name: String
    let text: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        (name, text) = (String(parts[0]), String(parts[1]))
    }
}
