import HTTPTypes
import Hummingbird
import NIOCore
import TributaryJSON
import WorkspaceCore

/// Counts events by the values of a member. These counts are not prepared, so the answer reports its progress, and a
/// client can leave when it has seen enough.
struct BreakdownRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let readYourWrites: ReadYourWrites
    let scans: Scans
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/breakdown") { request, _ in
            let reader = QueryReader(request)
            guard let writeKey = reader.text("writeKey") else { throw Refusal.invalid("writeKey names the source") }
            _ = try await sources.known(writeKey)
            let days = try reader.wholeDays(now: now())
            let limit = try reader.listedValues()
            let path = try reader.text("property").map { try JSONPath($0) }
            let breakdown = Breakdown(days: days, path: path, conditions: try reader.conditions())
            let query = try reader.eventQuery(matching: [.type, .name, .writeKey])
            let rows = try await store.rowQuery(query, .bodies)
            try scans.checkRoom()
            await readYourWrites.wait()
            let length = days.upperBound.number - days.lowerBound.number + 1
            let first = reader.text("compare") == "true" ? days.lowerBound.advanced(by: -length) : days.lowerBound
            let scan = try await BreakdownScan(
                breakdown, rows, days: first...days.upperBound, storage: store.storage, scans: scans)
            return answer(request, scan, limit: limit)
        }
    }

    /// A line of JSON for each step, some with the counts so far, and the result as the last one. A client that sees no
    /// result knows that the answer is not whole.
    private func answer(_ request: Request, _ scan: BreakdownScan, limit: Int) -> Response {
        let holder = SharedSlots.Holder.current
        let body = ResponseBody { writer in
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                var scan = scan
                // Other searches get their turn between two steps.
                var steps = 0
                while try await scans.take(for: holder, isBegun: true, { try await scan.step() }) {
                    steps += 1
                    var line: JSON = ["progress": scan.progress]
                    if steps.isMultiple(of: Limits.breakdownStepsToPart) { line["partial"] = scan.result(limit: limit) }
                    try await writer.write(Self.line(line))
                }
                try await writer.write(Self.line(["result": scan.result(limit: limit)]))
            }
            try await writer.finish(nil)
        }
        // A search ends when its client leaves. The connection is closed with it.
        return Response(
            status: .ok,
            headers: [.contentType: "application/x-ndjson", .cacheControl: "no-store", .connection: "close"],
            body: body)
    }

    private static func line(_ json: JSON) -> ByteBuffer { ByteBuffer(bytes: json.encoded() + [UInt8(ascii: "\n")]) }
}

extension QueryReader {
    fileprivate func listedValues() throws(Refusal) -> Int {
        let limit = try number("limit") ?? Limits.breakdownValues
        guard (1...Limits.breakdownMostValues).contains(limit) else {
            throw .invalid("limit is a number from 1 to \(Limits.breakdownMostValues)")
        }
        return Int(limit)
    }
}
