import ArgumentParser
import Foundation

/// From files to the workspace.
struct ConfigApply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Makes a workspace what a folder says.",
        discussion: """
            Sources that only the workspace has stay as they are. The steps are taken one after the other; when one \
            fails, those before it stand, and applying again goes on from there. The secret of each destination that \
            is made is printed, this once.
            """)

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let wanted = try WorkspaceConfig(folder: folder)
        let client = try AdministrationClient(options)
        let plan = ConfigPlan(from: try await WorkspaceConfig(of: client), to: wanted)
        plan.show()
        for step in plan.steps {
            let source = try client.below("api/sources", named: step.writeKey)
            for change in step.changes { try await make(change, step.writeKey, source) }
        }
        if !plan.steps.isEmpty { print("\(plan.changes) changes made") }
    }

    private func make(_ change: ConfigChange, _ writeKey: String, _ source: AdministrationClient) async throws {
        do {
            // At once: what is told only now would be lost if a later step failed.
            if let news = try await change.apply(to: writeKey, source) { print(news) }
        } catch {
            let step = change.lines(OutputStyle(isTerminal: false, environment: [:])).first ?? ""
            throw Failure("\(writeKey), \(step.trimmingCharacters(in: .whitespaces)): \(error)")
        }
    }
}
