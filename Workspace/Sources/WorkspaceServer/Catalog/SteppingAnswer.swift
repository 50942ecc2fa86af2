import HTTPTypes
import Hummingbird
import NIOCore
import TributaryJSON
import WorkspaceCore

/// The long answer of a search that looks at many events.
struct SteppingAnswer: Sendable {
    let scans: Scans
    /// How many values are listed.
    let limit: Int

    /// A line of JSON for each step, some with the counts so far, and the result as the last one. A search that finds more
    /// than it can hold ends with a line that has the reason as `error`. A client that sees neither knows that the answer
    /// is not whole.
    func response(_ request: Request, _ search: some SteppingSearch) -> Response {
        let holder = SharedSlots.Holder.current
        let body = ResponseBody { writer in
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                do {
                    try await write(search, for: holder, &writer)
                } catch let refusal as Refusal {
                    try await writer.write(Self.line(["error": .string(refusal.message)]))
                }
            }
            try await writer.finish(nil)
        }
        // A search ends when its client leaves. The connection is closed with it.
        return Response(
            status: .ok,
            headers: [.contentType: "application/x-ndjson", .cacheControl: "no-store", .connection: "close"],
            body: body)
    }

    private func write(
        _ search: some SteppingSearch, for holder: SharedSlots.Holder, _ writer: inout any ResponseBodyWriter
    ) async throws {
        var search = search
        var steps = 0
        // Other searches get their turn between two steps.
        while try await scans.take(for: holder, isBegun: true, { try await search.step() }) {
            steps += 1
            var line: JSON = ["progress": search.progress]
            if steps.isMultiple(of: Limits.breakdownStepsToPart) { line["partial"] = search.part(limit: limit) }
            try await writer.write(Self.line(line))
        }
        let result = try await scans.take(for: holder, isBegun: true) { [search] in
            try await search.result(limit: limit)
        }
        try await writer.write(Self.line(["result": result]))
    }

    /// The result alone, for a reader who sees no progress.
    func result(of search: some SteppingSearch) async throws -> JSON {
        var search = search
        let holder = SharedSlots.Holder.current
        while try await scans.take(for: holder, isBegun: true, { try await search.step() }) {}
        return try await scans.take(for: holder, isBegun: true) { [search] in try await search.result(limit: limit) }
    }

    private static func line(_ json: JSON) -> ByteBuffer { ByteBuffer(bytes: json.encoded() + [UInt8(ascii: "\n")]) }
}

extension QueryReader {
    /// How many values are listed.
    func listedValues() throws(Refusal) -> Int {
        let limit = try number("limit") ?? Limits.breakdownValues
        guard (1...Limits.breakdownMostValues).contains(limit) else {
            throw .invalid("limit is a number from 1 to \(Limits.breakdownMostValues)")
        }
        return Int(limit)
    }
}
