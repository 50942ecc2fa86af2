import ArgumentParser
import Foundation
import NIOHTTP1
import TributaryJSON

/// Writes stored events to a file.
struct Export: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable { case ndjson, csv }

    static let configuration = CommandConfiguration(
        abstract: "Writes stored events to a file, oldest first.",
        discussion: """
            A line of NDJSON is an event as the server lists it; `tributary import` reads it. Columns of CSV are \
            members that the server lists, or paths into the event, such as properties.total. The file appears when it \
            is complete.
            """)

    @Argument(help: "The file; - is standard output.", completion: .file())
    var file: String

    @OptionGroup var filter: EventFilterOptions
    @OptionGroup var range: TimeRangeOptions
    @OptionGroup var conditions: ConditionOptions
    @OptionGroup var options: ServerOptions

    @Option(help: "ndjson or csv; by default the ending of the file's name decides, else ndjson.")
    var format: Format?

    @Option(help: "Columns of CSV, separated by commas.")
    var columns: String?

    func run() async throws {
        let format = format ?? (file.lowercased().hasSuffix(".csv") ? .csv : .ndjson)
        guard columns == nil || format == .csv else { throw Failure("--columns is for CSV only") }
        var query =
            filter.query + range.query + conditions.query + [URLQueryItem(name: "format", value: format.rawValue)]
        if let columns { query.append(URLQueryItem(name: "columns", value: columns)) }
        let client = try AdministrationClient(options)
        if file == "-" { return try await read(client, query, to: .standardOutput) }
        try await write(client, query)
    }

    private func write(_ client: AdministrationClient, _ query: [URLQueryItem]) async throws {
        let part = file + ".part"
        guard FileManager.default.createFile(atPath: part, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: part)
        else { throw Failure("\(part) cannot be written") }
        let bytes: UInt64
        do {
            try await read(client, query, to: handle)
            bytes = try handle.offset()
            try handle.close()
        } catch {
            // An incomplete file is of no use.
            try? FileManager.default.removeItem(atPath: part)
            throw error
        }
        guard rename(part, file) == 0 else {
            throw Failure("\(file) cannot be written: \(String(cString: strerror(errno)))")
        }
        Console.error("\(Int(bytes).grouped) bytes are in \(file)")
    }

    /// A search is read page by page, so that it can show how far it is.
    private func read(_ client: AdministrationClient, _ query: [URLQueryItem], to handle: FileHandle) async throws {
        let write: @Sendable (Data) throws -> Void = { try handle.write(contentsOf: $0) }
        guard !conditions.query.isEmpty else {
            try await client.read("api/export", query: query, write)
            return
        }
        // Events that arrive meanwhile belong to the next export.
        let newest = try EventPage(try await client.get("api/events", query: [URLQueryItem(name: "limit", value: "1")]))
        let end = (newest.events.first?["sequence"]?.intValue ?? 0) + 1
        var (position, search) = ([URLQueryItem](), SearchProgress())
        defer { StepLine.end() }
        while true {
            let page = [URLQueryItem(name: "page", value: "true"), URLQueryItem(name: "before", value: "\(end)")]
            let head = try await client.read("api/export", query: query + page + position, write)
            guard let next = head.first(name: "Tributary-Next") else { return }
            position = [URLQueryItem(name: "after", value: next)]
            if let left = head.first(name: "Tributary-Left").flatMap({ Int($0) }) { search.show(left: left) }
        }
    }
}
