import ArgumentParser
import Foundation
import NIOHTTP1
import ProgramSupport
import Synchronization
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Writes stored events to a file.
struct Export: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable { case ndjson, csv, parquet }

    static let configuration = CommandConfiguration(
        abstract: "Writes stored events to a file, oldest first.",
        discussion: """
            A line of NDJSON is an event as the server lists it; `tributary import` reads it. Columns of CSV are \
            members that the server lists, or paths into the event, such as properties.total. Parquet has the same \
            columns with types: properties.total:double; the types are string, json, int64, double, boolean and \
            timestamp. The file appears when it is complete.
            """)

    @Argument(help: "The file; - is standard output.", completion: .file())
    var file: String

    @OptionGroup var replacing: OverwriteOptions
    @OptionGroup var filter: EventFilterOptions
    @OptionGroup var range: TimeRangeOptions
    @OptionGroup var conditions: ConditionOptions
    @OptionGroup var options: ServerOptions

    @Option(help: "ndjson, csv or parquet; by default the ending of the file's name decides, else ndjson.")
    var format: Format?

    @Option(help: "Columns of CSV or Parquet, separated by commas.")
    var columns: String?

    func run() async throws {
        let format = try format ?? Self.format(of: file)
        let paths = try conditions.read().paths
        guard columns == nil || format != .ndjson else { throw Failure("--columns is for CSV and Parquet") }
        var query =
            filter.query + range.query + conditions.query + [URLQueryItem(name: "format", value: format.rawValue)]
        if let columns { query.append(URLQueryItem(name: "columns", value: columns)) }
        let client = try AdministrationClient(options)
        // The answer to a question comes before the work.
        if InputFile.isRegular(file) { try replacing.confirm([file]) }
        let inPages = !conditions.query.isEmpty && format != .parquet
        let lines =
            file == "-"
            ? try await read(client, query, inPages, to: .standardOutput) : try await write(client, query, inPages)
        // CSV has a line with the names of the columns, and Parquet has no lines.
        guard lines <= (format == .csv ? 1 : 0), format != .parquet else { return }
        try await PathAdvice(client: client, query: filter.query + range.query).explain(paths)
    }

    /// The format that the name of a file asks for. A name that asks for another one is refused, because a file that has
    /// not what its name says is found much later.
    static func format(of file: String) throws(Failure) -> Format {
        let name = file.split(separator: "/").last ?? ""
        guard file != "-", let dot = name.lastIndex(of: "."), dot > name.startIndex else { return .ndjson }
        switch name[name.index(after: dot)...].lowercased() {
        case "ndjson", "jsonl", "json", "txt", "log": return .ndjson
        case "csv": return .csv
        case "parquet": return .parquet
        case "gz":
            let format = name[..<dot].lowercased().hasSuffix(".csv") ? " --format csv" : ""
            throw Failure("export does not compress; write `tributary export -\(format) | gzip > \(file)`")
        case let ending:
            throw Failure(
                "export writes ndjson, csv and parquet, not \(ending); name the file so, or say --format ndjson")
        }
    }

    /// - Returns: how many lines were written.
    private func write(
        _ client: AdministrationClient, _ query: [URLQueryItem], _ inPages: Bool
    ) async throws -> Int {
        let part = try OutputFile.Part(of: file)
        let (bytes, lines): (UInt64, Int)
        do {
            lines = try await read(client, query, inPages, to: part.handle)
            bytes = try part.handle.offset()
        } catch {
            part.discard()
            throw ErrorReason.known(error).map { OutputFile.unwritable(file, $0) } ?? error
        }
        try part.finish()
        Console.error("\(Int(bytes).grouped) bytes are in \(file)")
        return lines
    }

    private final class Lines: Sendable {
        let count = Mutex(0)
    }

    /// - Parameter inPages: whether it is read page by page, so that a search can show how far it is.
    /// - Returns: how many lines were written.
    private func read(
        _ client: AdministrationClient, _ query: [URLQueryItem], _ inPages: Bool, to handle: FileHandle
    ) async throws -> Int {
        let lines = Lines()
        let write: @Sendable (Data) throws -> Void = { data in
            try handle.write(contentsOf: data)
            lines.count.withLock { $0 += data.count { $0 == UInt8(ascii: "\n") } }
        }
        guard inPages else {
            try await client.read("api/export", query: query, write)
            return lines.count.withLock(\.self)
        }
        // Events that arrive meanwhile belong to the next export.
        let newest = try EventPage(try await client.get("api/events", query: [URLQueryItem(name: "limit", value: "1")]))
        let end = (newest.events.first?["sequence"]?.intValue ?? 0) + 1
        var (position, search) = ([URLQueryItem](), SearchProgress())
        defer { Waiting.finish() }
        while true {
            let page = [URLQueryItem(name: "page", value: "true"), URLQueryItem(name: "before", value: "\(end)")]
            let head = try await client.read("api/export", query: query + page + position, write)
            guard let next = head.first(name: "Tributary-Next") else { return lines.count.withLock(\.self) }
            position = [URLQueryItem(name: "after", value: next)]
            if let left = head.first(name: "Tributary-Left").flatMap({ Int($0) }) { search.show(left: left) }
        }
    }
}
