import ArgumentParser
import Foundation
import WorkspaceCore
import WorkspaceServer

/// Conditions on the members of events.
struct ConditionOptions: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Only events that meet a condition: 'properties.total>10'. May be repeated; all of them must hold.",
            discussion: """
                The path begins at the event: properties.plan, traits.email, context.os.name. Comparisons are \
                = != < <= > >= and ~, which means that a text contains the value; a path alone matches when the member exists.
                """,
            valueName: "condition"))
    var conditions: [String] = []

    /// The conditions, to be held against events here.
    func read() throws(Failure) -> EventConditions {
        do {
            return try EventConditions(conditions)
        } catch {
            throw Failure(error.description)
        }
    }

    var query: [URLQueryItem] { conditions.map { URLQueryItem(name: "where", value: $0) } }
}
