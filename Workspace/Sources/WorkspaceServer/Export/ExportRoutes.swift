import HTTPTypes
import Hummingbird
import NIOCore

/// All events that match, as one long answer that is read from the storage as fast as it is taken.
struct ExportRoutes: Sendable {
    let store: Store
    let freshness: Freshness

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/export") { request, _ in
            let reader = QueryReader(request)
            let format = try Self.format(reader)
            var query = try reader.eventQuery(matching: EventQuery.Match.Column.ofEvents)
            query.conditions = try reader.conditions()
            query.limit = Limits.exportRows
            query.order = .ascending
            try await store.checkSource(of: query)
            await freshness.wait()
            // What comes while the export is under way is for the next one, or it would never end.
            let end = try await store.lastSequence() + 1
            query.before = min(query.before ?? end, end)
            return answer(query, format)
        }
    }

    private static func format(_ reader: QueryReader) throws(APIError) -> any ExportFormat {
        switch reader.text("format") ?? "ndjson" {
        case "ndjson": return NDJSONExport()
        case "csv": return try CSVExport(columns: reader.text("columns"))
        default: throw .badRequest("format is ndjson or csv")
        }
    }

    /// The memory of one page, however much there is. When the storage fails on the way the answer breaks off without
    /// its end, which every client notices.
    private func answer(_ query: EventQuery, _ format: any ExportFormat) -> Response {
        let body = ResponseBody { writer in
            var query = query
            try await writer.write(ByteBuffer(bytes: format.head))
            while true {
                let page = try await store.events(query)
                var buffer = ByteBuffer()
                for row in page.rows { buffer.writeBytes(try format.row(row)) }
                if buffer.readableBytes > 0 { try await writer.write(buffer) }
                guard let next = page.next else { break }
                query.after = next
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: format.mediaType], body: body)
    }
}
