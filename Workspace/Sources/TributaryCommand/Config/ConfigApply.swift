import ArgumentParser
import Foundation

/// Applies the files to the workspace.
struct ConfigApply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Applies the configuration in a folder to a workspace.",
        discussion: """
            The command shows all changes first, as `tributary config diff` does. Keys that would be revoked and \
            destinations that would be removed cannot be brought back: it lists them apart, and asks before it changes \
            anything; without a terminal it needs --yes.

            Sources that only the workspace has stay as they are. The command takes one step after the other. When a \
            step fails, the steps before it remain, and a second run goes on from there. It prints the secret of each \
            destination that it makes, once.
            """)

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    @Flag(
        name: [.long, .customLong("allow")],
        help: "Apply filter rules and live plugins also when they cannot do what they say.")
    var unchecked = false

    @Option(help: "Why live plugins are deployed although they break a rule. The audit log keeps the reason.")
    var reason: String?

    @OptionGroup var options: ServerOptions

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let wanted = try WorkspaceConfig(folder: folder)
        let client = try AdministrationClient(options)
        let plan = ConfigPlan(from: try await WorkspaceConfig(of: client), to: wanted)
        plan.show()
        try confirmation.confirm(
            IrreversibleStep(
                losses: try await plan.losses(client), question: "Make all of these changes?",
                otherwise: "nothing was changed"))
        for step in plan.steps {
            let source = try client.below("api/sources", named: step.writeKey)
            for change in step.changes { try await make(change, step.writeKey, source) }
        }
        if !plan.steps.isEmpty { print("\(plan.changes) changes made") }
    }

    private func make(_ change: ConfigChange, _ writeKey: String, _ source: AdministrationClient) async throws {
        do {
            // Printed at once: a secret is shown only once, and would be lost when a later step fails.
            if let news = try await change.apply(to: writeKey, source, unchecked: unchecked, reason: reason) {
                print(news)
            }
        } catch {
            let step = change.lines(OutputStyle(isTerminal: false, environment: [:])).first ?? ""
            throw Failure("\(writeKey), \(step.trimmingCharacters(in: .whitespaces)): \(error)")
        }
    }
}
