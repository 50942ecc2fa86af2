import HTTPTypes
import Hummingbird
import NIOCore
import WorkspaceCore

/// All events that match, as one long answer that is read from the storage as fast as it is taken.
struct ExportRoutes: Sendable {
    let store: Store
    let readYourWrites: ReadYourWrites
    let scans: Scans

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/export") { request, _ in
            let reader = QueryReader(request)
            let format = try Self.format(reader)
            var query = try reader.eventQuery(matching: EventQuery.Match.Column.ofEvents)
            query.conditions = try reader.conditions()
            query.limit = Limits.exportRows
            query.order = .ascending
            if query.isScan { try scans.checkRoom() }
            try await store.checkSource(of: query)
            await readYourWrites.wait()
            // Events that arrive during the export belong to the next one; otherwise it might never end.
            let end = try await store.lastSequence() + 1
            query.before = min(query.before ?? end, end)
            switch reader.text("page") {
            case nil, "false": return answer(request, query, format)
            case "true":
                guard !format.comesWhole else { throw Refusal.invalid("a file of that format has no pages") }
                return try await request.whileClientStays { [query] in try await page(query, format) }
            default: throw Refusal.invalid("page is true or false")
            }
        }
    }

    private static func format(_ reader: QueryReader) throws(Refusal) -> any ExportFormat {
        switch reader.text("format") ?? "ndjson" {
        case "ndjson": return NDJSONExport()
        case "csv": return try CSVExport(columns: reader.text("columns"))
        case "parquet": return try ParquetExport(columns: reader.text("columns"))
        default: throw .invalid("format is ndjson, csv or parquet")
        }
    }

    /// One page, so that a client can show how far a search is, and go on later. Headers say where the next one begins.
    private func page(_ query: EventQuery, _ format: any ExportFormat) async throws -> Response {
        var pages = ExportPages(store: store, scans: scans, query: query, holder: .current)
        let page = try await pages.next() ?? ListPage()
        var format = format
        var headers: HTTPFields = [.contentType: format.mediaType]
        headers[named: "Tributary-Next"] = page.next.map(String.init)
        headers[named: "Tributary-Left"] = page.search.map { String($0.left) }
        var buffer = ByteBuffer()
        if query.after == nil { buffer.writeBytes(format.begin()) }
        for row in page.rows { buffer.writeBytes(try format.row(row)) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: buffer))
    }

    /// Uses the memory of one page, however many events there are. When the storage fails, the answer breaks off
    /// without its end, which every client notices.
    private func answer(_ request: Request, _ query: EventQuery, _ format: any ExportFormat) -> Response {
        var headers: HTTPFields = [.contentType: format.mediaType]
        // A search ends when its client leaves. The connection is closed with it.
        if query.isScan { headers[.connection] = "close" }
        let pages = ExportPages(store: store, scans: scans, query: query, holder: .current)
        let body = ResponseBody { writer in
            if query.isScan {
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await write(pages, format, to: &writer)
                }
            } else {
                try await write(pages, format, to: &writer)
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    private func write(
        _ pages: ExportPages, _ format: any ExportFormat, to writer: inout any ResponseBodyWriter
    ) async throws {
        var (pages, format) = (pages, format)
        try await writer.write(ByteBuffer(bytes: format.begin()))
        while let page = try await pages.next() {
            var buffer = ByteBuffer()
            for row in page.rows { buffer.writeBytes(try format.row(row)) }
            if buffer.readableBytes > 0 { try await writer.write(buffer) }
        }
        let end = try format.end()
        if !end.isEmpty { try await writer.write(ByteBuffer(bytes: end)) }
    }
}

/// The pages of an export, one after the other. An export that searches events waits for its turn before each page, so
/// that other searches do not wait until its end.
struct ExportPages {
    let store: Store
    let scans: Scans
    private let holder: SharedSlots.Holder
    /// The rest that is to be read; nil at the end.
    private var query: EventQuery?

    /// - Parameter holder: who exports.
    init(store: Store, scans: Scans, query: EventQuery, holder: SharedSlots.Holder) {
        (self.store, self.scans, self.query, self.holder) = (store, scans, query, holder)
    }

    mutating func next() async throws -> ListPage? {
        guard let query else { return nil }
        let page =
            query.isScan
            ? try await scans.take(for: holder, isBegun: true) { try await store.events(query, scans: scans) }
            : try await store.events(query)
        self.query = page.next.map { next in
            var rest = query
            rest.after = next
            return rest
        }
        return page
    }
}
