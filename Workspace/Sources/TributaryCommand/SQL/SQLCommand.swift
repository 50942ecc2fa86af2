import ArgumentParser
import Foundation
import ProgramSupport
import Synchronization
import TributaryJSON
import WorkspaceServer

/// Asks stored events in SQL.
struct SQLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql", abstract: "Asks stored events in SQL.",
        discussion: """
            Reads the events from the workspace into tables of this process, and asks these. So a long query disturbs no \
            workspace, and it works with a cluster, too. The tables are those of a warehouse: tracks, identifies, users, \
            pages, screens, groups, aliases, identities, sessions, and one for each event name, such as \
            order_completed with the column total. Without a query, the tables and their columns are listed.

            The language is that of SQLite. Times are texts such as 2026-11-24T10:00:00.000Z, true and false are 1 and 0.
            """)

    @Argument(help: "The query: one SELECT. - reads it from standard input.")
    var query: String?

    @OptionGroup var source: SourceOptions
    @OptionGroup var range: TimeRangeOptions

    @Option(help: "Only events of this type: track, identify, screen, page, group or alias.")
    var type: String?

    @Option(help: "Only events of this name.")
    var name: String?

    @OptionGroup var conditions: ConditionOptions

    @Option(help: "The most events that are read.")
    var most = 1_000_000

    @Option(help: "The most rows that are shown.")
    var limit = 1_000

    @Option(help: "Seconds that the query may take, after the events were read.")
    var timeout = 60

    @Option(help: "table, csv or json; json has one object on each line.")
    var format = SQLFormat.table

    @Option(help: "Keeps the tables in this new file, for other programs that read SQLite.", completion: .file())
    var save: String?

    func validate() throws {
        for (name, value) in [("most", most), ("limit", limit), ("timeout", timeout)] where value < 1 {
            throw ValidationError("--\(name) is a number above 0.")
        }
    }

    func run() async throws {
        do {
            try await ask()
        } catch let error as SQLiteWarehouse.QueryError {
            // SQLite quotes a part of the query, which may have control signs.
            throw Failure(error.description.printable)
        }
    }

    private func ask() async throws {
        let query = try query.map(Self.text)
        guard let save else { return try await run(query, SQLiteWarehouse()) }
        guard !FileManager.default.fileExists(atPath: save) else { throw Failure("\(save) exists; name a new file") }
        do {
            try await run(query, SQLiteWarehouse(.file(save)))
        } catch let error as SQLiteWarehouse.QueryError {
            // The tables are complete, and another query can follow.
            throw error
        } catch {
            try? FileManager.default.removeItem(atPath: save)  // the error that is thrown says more
            throw error
        }
    }

    private func run(_ query: String?, _ tables: SQLiteWarehouse) async throws {
        // A mistake is named before a million events are read.
        if let query { try tables.check(query) }
        let values: [(String, String?)] = [("writeKey", source.writeKey), ("type", type), ("name", name)]
        let filter = values.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        let loader = SQLLoader(tables: tables, most: most)
        defer { Waiting.finish() }
        try await AdministrationClient(source.server).read(
            "api/export", query: filter + range.query + conditions.query
        ) { try loader.take($0) }
        try loader.finish()
        Waiting.finish()
        guard let query else { return try list(tables) }
        try await ask(query, tables)
    }

    private static func text(_ query: String) throws -> String {
        guard query == "-" else { return query }
        return String(decoding: try InputFile.standardInput(), as: UTF8.self)
    }

    private func ask(_ query: String, _ tables: SQLiteWarehouse) async throws {
        let answer = try await Waiting.during("the answer, at most \(timeout) s") {
            try await tables.answer(query, limit: limit, seconds: Double(timeout))
        }
        for line in format.lines(answer) { print(line) }
        if answer.isCut { Console.error("only the first \(limit.grouped) rows are shown (--limit)") }
    }

    private func list(_ tables: SQLiteWarehouse) throws {
        let list = try tables.tables()
        guard !list.isEmpty else { return print("no events match") }
        for table in list {
            print("\(table.name): \(table.rows.grouped) \(table.rows == 1 ? "row" : "rows")")
            print("  " + table.columns.joined(separator: ", ").printable)
        }
    }
}

/// Puts the lines of an export into tables as they come.
private final class SQLLoader: Sendable {
    /// Events that are put into tables together.
    private static let batch = 2_000

    private struct State {
        var lines = AnswerLines()
        var waiting: [JSON] = []
    }

    private let tables: SQLiteWarehouse
    private let most: Int
    private let state = Mutex(State())

    init(tables: SQLiteWarehouse, most: Int) { (self.tables, self.most) = (tables, most) }

    func take(_ data: Data) throws {
        try state.withLock { state in
            try state.lines.take(data) { state.waiting.append(try JSON.parse($0)) }
            if state.waiting.count >= Self.batch { try load(&state) }
        }
    }

    func finish() throws { try state.withLock { try load(&$0) } }

    private func load(_ state: inout State) throws {
        try tables.add(state.waiting)
        state.waiting = []
        guard tables.events <= most else {
            throw Failure(
                "more than \(most.grouped) events match; choose fewer with --since, --name or --where, or raise --most")
        }
        Waiting.show("\(tables.events.grouped) events are read")
    }
}
