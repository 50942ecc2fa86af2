import WorkspaceCore

/// The path of a request as a log may show it.
///
/// Logs are kept longer than events and are read by more people, so a user's id in a path becomes the name of its
/// parameter: `/api/users/{userId}`. The audit log has digests for the same reason. The hook of a source function is no id of a
/// person, but whoever knows it can send requests.
enum LoggedPath {
    /// The parameters of routes that name a person or a hook, with the steps before them.
    private static let personal: [(steps: [Substring], parameter: Substring)] = [
        (["api", "users"], "{userId}"), (["v1", "hooks"], "{hook}"),
    ]
    private static let longest = 1_024

    /// The path without ids of people and without bytes that would end the line or control a terminal; at most 1,024
    /// characters.
    static func text(_ path: String) -> String { printable(withoutPeople(path)) }

    private static func withoutPeople(_ path: String) -> String {
        // The router ignores doubled slashes, and so does this.
        var steps = path.split(separator: "/")
        for (before, parameter) in personal where steps.count > before.count {
            if steps.starts(with: before) { steps[before.count] = parameter }
        }
        return "/" + steps.joined(separator: "/")
    }

    private static func printable(_ path: String) -> String {
        String(
            String.UnicodeScalarView(
                path.unicodeScalars.prefix(longest).map { $0.value > 0x20 && $0.value < 0x7F ? $0 : "?" }))
    }
}
