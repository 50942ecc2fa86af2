import ArgumentParser
import TributaryJSON
import WorkspaceCore

/// The consent that a destination needs.
struct ConsentOptions: ParsableArguments {
    @Option(
        name: .customLong("category"),
        help: ArgumentHelp(
            "A consent category that the destination needs; may be repeated. It gets events whose user allows all of them.",
            valueName: "name"))
    var categories: [String] = []

    @Flag(help: "The destination no longer needs a consent category.")
    var noCategories = false

    var isEmpty: Bool { categories.isEmpty && !noCategories }

    func validate() throws {
        if noCategories && !categories.isEmpty {
            throw ValidationError("--category and --no-categories do not go together")
        }
    }

    /// Writes the given categories into a request.
    func apply(to body: inout JSONObject) {
        if !isEmpty { body["categories"] = .strings(categories) }
    }

    /// Advice about events without consent data; nil when the destination needs no category.
    func advice() -> String? {
        guard !categories.isEmpty else { return nil }
        return """
            Events without consent data also go there, unless the policy of the source excludes them: \
            `tributary policy --unsaid-consent hold`, or `drop`.
            """
    }
}
