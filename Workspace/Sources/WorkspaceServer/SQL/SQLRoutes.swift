import Hummingbird
import NIOCore
import TributaryJSON
import WorkspaceCore

/// Answers a query in SQL over the stored events of one source.
///
/// The server only reads the events, as an export does. A process of its own puts them into tables and asks these: it has
/// no files, no network, a bound of memory and time, and the events of no other source.
struct SQLRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let readYourWrites: ReadYourWrites
    let scans: Scans
    /// The path of the program `tributary`; nil when this server cannot start it.
    let program: String?
    private let places = SQLPlaceList()

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.post("api/sources/:writeKey/sql") { request, context in
            let writeKey = try context.pathParameter("writeKey")
            _ = try await sources.known(writeKey)
            let reader = QueryReader(request)
            let rows = try reader.sqlRows()
            var events = try reader.eventQuery(matching: [.type, .name])
            events.conditions = try reader.conditions()
            events.matches.append(EventQuery.Match(column: .writeKey, value: writeKey))
            let query = try await Self.query(request)
            guard let program else {
                throw Refusal(.unsupported, "this server cannot start queries; use tributary sql")
            }
            if events.isScan { try scans.checkRoom() }
            let run = try await SQLRun(
                program: program, writeKey: writeKey, query: query, rows: rows, place: places.lend(to: .current))
            await readYourWrites.wait()
            return answer(request, run, try await pages(events, isQuery: query != nil))
        }
    }

    /// The text of the query; nil for an empty one, which asks for the tables.
    private static func query(_ request: Request) async throws -> String? {
        let buffer = try await AdministrationBody.bytes(request, limit: Limits.sqlText)
        guard let text = String(validating: buffer.readableBytesView, as: UTF8.self), !text.contains("\0") else {
            throw Refusal.invalid("the query is not UTF-8 text")
        }
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    private func pages(_ events: EventQuery, isQuery: Bool) async throws -> ExportPages {
        var events = events
        // Events that arrive meanwhile belong to the next query; otherwise this one might never end.
        events.before = try await store.lastSequence() + 1
        events.order = isQuery ? .ascending : .descending
        events.limit = isQuery ? Limits.sqlPage : Limits.sqlListedEvents
        return ExportPages(store: store, scans: scans, query: events, holder: .current)
    }

    /// Lines of JSON: `progress` while events are read, and `result` or `error` as the last one.
    private func answer(_ request: Request, _ run: SQLRun, _ pages: ExportPages) -> Response {
        var request = request
        // The body was read. Of an empty one the framework sees the end, and with it when the client leaves.
        request.body = RequestBody(buffer: ByteBuffer())
        let body = ResponseBody { [request] writer in
            defer { run.end() }
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                let last: JSON
                do {
                    last = ["result": try await result(run, pages, to: &writer)]
                } catch let refusal as Refusal {
                    last = ["error": .string(refusal.message)]
                }
                // Who reads the last line can ask again at once.
                run.end()
                try await writer.write(Self.line(last))
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [.contentType: "application/x-ndjson", .cacheControl: "no-store", .connection: "close"],
            body: body)
    }

    /// Reads the events, and asks the query. Lines about the progress are written meanwhile.
    private func result(
        _ run: SQLRun, _ pages: ExportPages, to writer: inout any ResponseBodyWriter
    ) async throws -> JSON {
        var pages = pages
        var events = 0
        while let page = try await pages.next() {
            // Requests of clients come first.
            let messages = try await scans.look(at: page.rows.count) { Self.messages(page.rows) }
            for message in messages { _ = try await run.ask(message, within: Limits.sqlLoad) }
            events += page.rows.count
            guard run.isQuery else { break }
            guard events <= Limits.sqlEvents else {
                throw Refusal.invalid(
                    "more than \(Limits.sqlEvents) events match; choose fewer by their time, name or conditions, or use "
                        + "tributary sql, which takes more")
            }
            try await writer.write(Self.line(["progress": ["events": .number(events)]]))
        }
        let answer = try await run.ask(.answer, within: Limits.sqlTime)
        var result = answer["result"]?.objectValue ?? [:]
        result["events"] = .number(events)
        return .object(result)
    }

    private static func messages(_ rows: [[UInt8]]) -> [SQLMessage] {
        var messages: [SQLMessage] = []
        var lines: [UInt8] = []
        for row in rows {
            lines += row
            lines.append(UInt8(ascii: "\n"))
            guard lines.count >= Limits.sqlMessage else { continue }
            messages.append(.events(lines))
            lines = []
        }
        return lines.isEmpty ? messages : messages + [.events(lines)]
    }

    private static func line(_ json: JSON) -> ByteBuffer { ByteBuffer(bytes: json.encoded() + [UInt8(ascii: "\n")]) }
}

extension QueryReader {
    /// The most rows of an answer.
    fileprivate func sqlRows() throws(Refusal) -> Int {
        let rows = try number("rows") ?? Int64(Limits.sqlRows)
        guard (1...Int64(Limits.sqlRows)).contains(rows) else {
            throw .invalid("rows is a number from 1 to \(Limits.sqlRows)")
        }
        return Int(rows)
    }
}
