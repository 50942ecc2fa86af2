import ArgumentParser
import Foundation

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
        if file == "-" {
            return try await client.read("api/export", query: query) {
                try FileHandle.standardOutput.write(contentsOf: $0)
            }
        }
        try await write(client, query)
    }

    private func write(_ client: AdministrationClient, _ query: [URLQueryItem]) async throws {
        let part = file + ".part"
        guard FileManager.default.createFile(atPath: part, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: part)
        else { throw Failure("\(part) cannot be written") }
        let bytes: UInt64
        do {
            try await client.read("api/export", query: query) { try handle.write(contentsOf: $0) }
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
}
