import ArgumentParser
import Foundation
import ProgramSupport
import TributaryJSON

/// Sends events of a file.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sends the events of a file to a workspace.",
        discussion: """
            The file is NDJSON (an event of the protocol a line, or what `tributary export` wrote) or, with --mapping, \
            CSV. It is UTF-8 (CSV may be windows-1252, see --encoding) and may be compressed with gzip. An event without a \
            messageId gets one that the file's content and the line decide. So the command may be ended at any moment and run again: a workspace stores each line once, \
            within the days that it remembers message ids for. --from-line saves the time for what was sent before.

            At the end the command says how many events were stored, were there already (repeated), and were rejected, \
            with the first reasons. It fails when the file holds no event that could be stored.

            A mapping is an event in JSON. A text in it that begins with $ stands for a column: "$user_id", or \
            "$total:number", "$paid:bool", "$at:time" and "$items:json". A member whose column is empty is left out; $$ is \
            a dollar sign. Times are 2026-11-20, 2026-11-20 10:00, 2026-11-20T10:00:00Z and alike (UTC unless they say \
            otherwise), or seconds or milliseconds since 1970. The timestamp of an event is always read as a time.
            """)

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Option(help: "Write key of the source that gets the events.")
    var writeKey: String

    @Option(help: "Address of the workspace; without it, TRIBUTARY_SERVER in the environment.")
    var server = ServerOptions.usual

    @Option(help: "PEM file with certificates to trust besides those of the system.", completion: .file())
    var certificateAuthority: String?

    @Option(help: "The file is CSV; this JSON file maps its columns.", completion: .file())
    var mapping: String?

    @Option(help: "Encoding of a CSV file: utf-8, or windows-1252, which Excel writes in Western Europe.")
    var encoding = TextEncoding.utf8

    @Option(help: "Begin at this line, counted from 1.")
    var fromLine = 1

    @Option(help: "Events in each request, at most 500.")
    var batch = 200

    @Option(
        help: """
            What tells this file from others when messageIds are made; its content unless given. A file that grows needs \
            a name, or its lines get other ids.
            """)
    var id: String?

    func validate() throws {
        guard (1...500).contains(batch) else { throw ValidationError("--batch is a number from 1 to 500") }
        guard mapping != nil || encoding == .utf8 else {
            throw ValidationError("--encoding is for CSV, which needs --mapping; NDJSON is always UTF-8")
        }
        guard fromLine > 0 else { throw ValidationError("--from-line is a number above 0") }
    }

    func run() async throws {
        Waiting.explain(stop: "control-C stops it, and the same command goes on later")
        let identity = try id ?? Self.digest(of: file)
        var source = try source(identity)
        defer { source.close() }
        let sender = try ImportSender(server: server, writeKey: writeKey, authority: certificateAuthority)
        var report = ImportReport(file: file)
        var batch = ImportBatch(limit: self.batch)
        do {
            while let next = try source.next() {
                report.show(source.share)
                guard next.line >= fromLine else { continue }
                report.read(next)
                guard case .event(let event) = next.content else { continue }
                if !batch.add(event, line: next.line) {
                    try await send(&batch, sender, &report)
                    _ = batch.add(event, line: next.line)
                }
            }
            try await send(&batch, sender, &report)
        } catch {
            report.stop()
            throw Failure("\(error); \(report.whereToGoOn)")
        }
        try report.finish()
    }

    /// A device or a pipe may never end, and its content comes only once.
    private static func digest(of file: String) throws(Failure) -> String {
        let isThere = FileManager.default.fileExists(atPath: file)
        guard !isThere || InputFile.isRegular(file) || InputFile.isFolder(file) else {
            throw Failure("\(file.printable) is a device or a pipe; name what comes from it with --id")
        }
        return try FileDigest.of(file)
    }

    private func send(_ batch: inout ImportBatch, _ sender: ImportSender, _ report: inout ImportReport) async throws {
        guard !batch.isEmpty else { return }
        report.sent(batch, try await sender.send(batch.body(writeKey: writeKey)))
        batch.removeAll()
    }

    private func source(_ identity: String) throws -> any ImportSource {
        guard let mapping else { return try NDJSONSource(file, identity: identity) }
        return try CSVSource(
            file, encoding: encoding, mapping: try CSVMapping(try InputFile.json(mapping)), identity: identity)
    }
}
