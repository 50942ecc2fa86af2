import ArgumentParser
import Foundation
import ProgramSupport

/// Lets an assistant read a workspace.
struct AssistantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Lets an assistant read a workspace: a server of the Model Context Protocol.",
        discussion: """
            The assistant starts this command and talks with it over standard input and output. It can list sources \
            and events, explain an event, read the catalog, test a live plugin and plan filter rules on stored events. \
            No tool changes the workspace. The answers are those of the API, and the token decides what the assistant \
            may read. docs/guides/assistants.md shows how to configure assistants.
            """)

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let session = AssistantSession(
            AssistantServer(try AdministrationClient(options)), output: .standardOutput)
        if isatty(STDIN_FILENO) == 1 {
            Console.error("an assistant starts this command, and writes to its input; control-D ends it")
        }
        Waiting.explain(stop: "the assistant can cancel it")
        let lines = Locked(LineReader(STDIN_FILENO, limit: AssistantLimits.lineBytes))
        while await session.isOpen, let line = await Self.next(lines) { await session.take(line) }
        await session.finish()
    }

    /// The next line; nil at the end. Another thread waits for it, because waiting blocks.
    private static func next(_ lines: Locked<LineReader>) async -> LineReader.Line? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: lines.withLock { $0.next() }) }
        }
    }
}
