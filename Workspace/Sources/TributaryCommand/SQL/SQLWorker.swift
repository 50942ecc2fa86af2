import ArgumentParser
import CWorkerProcess
import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Answers one query in SQL for the server, which starts this command in a process of its own. The process gives up its
/// rights before it reads the query.
///
/// Standard input and output are one socket: messages come in (`SQLMessage`), and each is answered with JSON.
struct SQLWorker: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql-worker", abstract: "Answers a query in SQL for the server.", shouldDisplay: false)

    @Argument(help: "The write key of the source, for lists of processes.") var writeKey: String

    /// Seconds after which the system ends a process that does not come to the end of a message. The server does so earlier.
    private static let patience = UInt32(Limits.sqlTime.components.seconds + 15)

    func run() throws {
        // Requests of clients come first. When memory is short, the system ends this process and not the server.
        _ = nice(10)
        try? Data("1000".utf8).write(to: URL(fileURLWithPath: "/proc/self/oom_score_adj"))
        tributary_worker_close_files()
        // Kept for the life of the process.
        let prepared = SQLAnswering.prepared()
        defer { withExtendedLifetime(prepared) {} }
        SQLiteWarehouse.limitMemory(to: Limits.sqlTables)
        guard tributary_worker_limit(Limits.sqlMemory) == 0 else { throw Failure("the process cannot be limited") }
        let confinement = tributary_worker_confine()
        // Systems without such a filter run queries, too. A query can only read its own tables.
        guard [0, ENOSYS].contains(confinement) else {
            throw Failure("the process keeps its rights: \(String(cString: strerror(confinement)))")
        }
        var answering = SQLAnswering()
        while let content = try WorkerSocket.next() {
            guard let message = SQLMessage(content) else {
                throw Failure("standard input has no question of the server")
            }
            tributary_worker_end_after(Self.patience)
            try WorkerSocket.write(WorkerMessages.message(answering.answer(to: message).encoded()))
            tributary_worker_end_after(0)
        }
        // Without ending the databases.
        _exit(0)
    }
}
