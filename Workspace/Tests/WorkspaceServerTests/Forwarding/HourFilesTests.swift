import Foundation
import GzipReading
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Files of events by the hour", .timeLimit(.minutes(30))) struct HourFilesTests {
    private static let hour: Int64 = 1_763_726_400_000  // 2025-11-21T12:00:00Z

    private let folder = (try? TemporaryFolder()) ?? TemporaryFolder(path: "/nowhere")
    private let clock = TestClock()
    private var path: String { folder.path + "/WK/Archive" }
    private var files: HourFiles { HourFiles(folder: path, writeKey: "WK") { [clock] in clock.now } }

    private func event(_ id: String, at time: Int64 = hour) -> ForwardedEvent {
        ForwardedEvent(
            sequence: 1, messageId: id, partition: ForwardedEvent.Partition(digest: Data()),
            body: Array(#"{"messageId":"\#(id)"}"#.utf8), receivedAt: time)
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    private func text(_ name: String) throws -> String {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
        return String(
            decoding: name.hasSuffix(".gz") ? try Gunzip.inflate(bytes, limit: 1 << 20) : bytes, as: UTF8.self)
    }

    /// The clock of the file system goes on by itself, so files are given the time of the test's clock.
    private func age(_ name: String, to time: Int64) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(time) / 1_000)], ofItemAtPath: "\(path)/\(name)")
    }

    private func advance(to time: Int64) { clock.advance(by: time - clock.now) }

    @Test("Each hour has a file of its own, which is compressed when the hour is over")
    func hours() throws {
        #expect(files.add([event("a"), event("b", at: Self.hour + 3_600_000), event("c")]) == .accepted("written"))
        #expect(files.add([event("d")]) == .accepted("written"))
        #expect(try names() == ["2025-11-21T12.ndjson", "2025-11-21T13.ndjson"])
        #expect(
            try text("2025-11-21T12.ndjson") == #"{"messageId":"a"}"# + "\n" + #"{"messageId":"c"}"# + "\n"
                + #"{"messageId":"d"}"# + "\n")
        let before = try text("2025-11-21T12.ndjson")
        try age("2025-11-21T12.ndjson", to: Self.hour)
        advance(to: Self.hour + 3_600_000 + Limits.fileGraceMilliseconds - 1)
        #expect(files.closeHours() == [])
        #expect(try names() == ["2025-11-21T12.ndjson", "2025-11-21T13.ndjson"])
        clock.advance(by: 1)
        #expect(files.closeHours() == [])
        #expect(try names() == ["2025-11-21T12.ndjson.gz", "2025-11-21T13.ndjson"])
        #expect(try text("2025-11-21T12.ndjson.gz") == before)
    }

    @Test("Late events of a closed hour get a new file, and a closed file never changes")
    func late() throws {
        advance(to: Self.hour + 9 * 3_600_000)
        for id in ["a", "b", "c"] {
            _ = files.add([event(id)])
            try age("2025-11-21T12.ndjson", to: Self.hour)
            #expect(files.closeHours() == [])
        }
        #expect(
            try names() == ["2025-11-21T12-2.ndjson.gz", "2025-11-21T12-3.ndjson.gz", "2025-11-21T12.ndjson.gz"])
        #expect(try text("2025-11-21T12.ndjson.gz") == #"{"messageId":"a"}"# + "\n")
        #expect(try text("2025-11-21T12-2.ndjson.gz") == #"{"messageId":"b"}"# + "\n")
    }

    @Test("A file to which events were just added stays open, however old its hour is")
    func backlog() throws {
        advance(to: Int64(Date().timeIntervalSince1970 * 1_000))
        _ = files.add([event("a")])
        #expect(files.closeHours() == [])
        #expect(try names() == ["2025-11-21T12.ndjson"])
    }

    @Test("A half line that a crash left is cut off before the next line is written")
    func halfLine() throws {
        _ = files.add([event("a")])
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path + "/2025-11-21T12.ndjson"))
        try file.seekToEnd()
        try file.write(contentsOf: Data((#"{"messageId":""# + String(repeating: "x", count: 100_000)).utf8))
        try file.close()
        _ = files.add([event("b")])
        #expect(try text("2025-11-21T12.ndjson") == #"{"messageId":"a"}"# + "\n" + #"{"messageId":"b"}"# + "\n")
        try Data("no line".utf8).write(to: URL(fileURLWithPath: path + "/2025-11-21T12.ndjson"))
        _ = files.add([event("c")])
        #expect(try text("2025-11-21T12.ndjson") == #"{"messageId":"c"}"# + "\n")
    }

    @Test("A compression that a crash interrupted is finished, without repeated events")
    func crash() throws {
        _ = files.add([event("a")])
        let closing = "\(path)/2025-11-21T12.closing"
        try FileManager.default.moveItem(atPath: "\(path)/2025-11-21T12.ndjson", toPath: closing)
        try Data("half".utf8).write(to: URL(fileURLWithPath: "\(path)/2025-11-21T12.ndjson.gz.part"))
        #expect(files.closeHours() == [])
        #expect(try names() == ["2025-11-21T12.ndjson.gz"])
        #expect(try text("2025-11-21T12.ndjson.gz") == #"{"messageId":"a"}"# + "\n")
        // The crash came after the file got its name.
        try Data("{}\n".utf8).write(to: URL(fileURLWithPath: closing))
        #expect(files.closeHours() == [])
        #expect(try names() == ["2025-11-21T12.ndjson.gz"])
        #expect(try text("2025-11-21T12.ndjson.gz") == #"{"messageId":"a"}"# + "\n")
    }

    @Test("A file that cannot be compressed is named with the reason, stays as it is, and is compressed later")
    func blocked() throws {
        _ = files.add([event("a")])
        try age("2025-11-21T12.ndjson", to: Self.hour)
        advance(to: Self.hour + 9 * 3_600_000)
        let blocked = "\(path)/2025-11-21T12.ndjson.gz.part"
        try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: false)
        let failures = files.closeHours()
        #expect(failures.count == 1)
        #expect(failures.first?.hasPrefix("\(blocked) cannot be opened: ") == true, "\(failures)")
        #expect(try text("2025-11-21T12.closing") == #"{"messageId":"a"}"# + "\n")
        try FileManager.default.removeItem(atPath: blocked)
        #expect(files.closeHours() == [])
        #expect(try names() == ["2025-11-21T12.ndjson.gz"])
    }

    private var tables: HourFiles {
        HourFiles(folder: path, writeKey: "WK", format: .parquet(columns: "sequence,messageId,writeKey")) { [clock] in
            clock.now
        }
    }

    @Test("Files of Parquet are whole or not there, also when a crash left a half line or a half file")
    func parquet() throws {
        #expect(tables.add([event("a"), event("b")]) == .accepted("written"))
        #expect(try names() == ["2025-11-21T12.rows"])
        let half = try #require(FileHandle(forWritingAtPath: "\(path)/2025-11-21T12.rows"))
        try half.seekToEnd()
        try half.write(contentsOf: Data(#"{"messageId":"ha"#.utf8))
        try half.close()
        try age("2025-11-21T12.rows", to: Self.hour)
        advance(to: Self.hour + 9 * 3_600_000)
        try Data("half".utf8).write(to: URL(fileURLWithPath: "\(path)/2025-11-21T12.parquet.part"))
        #expect(tables.closeHours() == [])
        #expect(try names() == ["2025-11-21T12.parquet"])
        let whole = try Data(contentsOf: URL(fileURLWithPath: "\(path)/2025-11-21T12.parquet"))
        #expect(whole.prefix(4) == Data("PAR1".utf8) && whole.suffix(4) == Data("PAR1".utf8))
        // Events that were tried again get a file of their own.
        #expect(tables.add([event("c")]) == .accepted("written"))
        try age("2025-11-21T12.rows", to: Self.hour)
        #expect(files.closeHours() == [])
        #expect(try names() == ["2025-11-21T12-2.parquet", "2025-11-21T12.parquet"])
    }

    @Test("Settings of files name a format, and columns for Parquet")
    func settings() throws {
        #expect(try FileSettings([:]).json == [:])
        #expect(try FileSettings(["format": "ndjson"]).json == [:])
        let whole: JSONObject = ["format": "parquet", "columns": "name,properties.total:double"]
        #expect(try FileSettings(whole).json == whole)
        let bad: [(JSONObject, String)] = [
            (["format": "orc"], "format is"), (["columns": "name"], "columns are for"),
            (["format": "parquet", "columns": "a:float"], "no type float"), (["bucket": "b"], "no setting bucket"),
        ]
        for (settings, words) in bad {
            let error = #expect(throws: Refusal.self) { _ = try FileSettings(settings) }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test("A folder that cannot be listed is named, and a folder that does not exist yet is no fault")
    func unlisted() throws {
        #expect(files.closeHours() == [])
        try FileManager.default.createDirectory(atPath: folder.path + "/WK", withIntermediateDirectories: false)
        try Data().write(to: URL(fileURLWithPath: path))
        let failures = files.closeHours()
        #expect(failures.count == 1)
        #expect(failures.first?.hasPrefix("the files in \(path) cannot be listed: ") == true, "\(failures)")
    }

    @Test("A folder that cannot be written stops the destination with the reason, and loses nothing")
    func refused() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path + "/WK"))
        guard case .unavailable(let reason, _) = files.add([event("a")]) else {
            Issue.record("the event was taken")
            return
        }
        #expect(!reason.isEmpty)
        guard case .unavailable = files.tryFolder() else {
            Issue.record("the folder was taken")
            return
        }
    }

    @Test("A destination of the kind files gets stored and new events, and its trial writes no event")
    func destination() async throws {
        let root = try TemporaryFolder()
        try await TestWorkspace.run(filesFolder: root.path) { workspace async throws in
            let client = workspace.client
            try await client.batch((0..<20).map { Events.track(messageId: "m-\($0)", userId: "u-\($0 % 3)") })
            _ = try await client.events()
            let destination = "/api/sources/WK/destinations/Archive"
            let made = try await client.put(destination, #"{"kind":"files","settings":{},"from":"start"}"#)
            #expect(made.status == 201, "\(made.text)")
            let test = try await client.send("POST", destination + "/test", body: [])
            #expect(try test.json["accepted"] == true, "\(test.text)")
            try await client.batch([Events.track(messageId: "m-20")])
            while try await client.get(destination).json["delivered"] != 21 {}
            let folder = root.path + "/WK/Archive"
            let lines = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".ndjson") }
                .flatMap { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8).split(separator: "\n") }
            let ids = try lines.map { try JSON.parse(String($0))["messageId"]?.stringValue }
            #expect(Set(ids) == Set((0...20).map { "m-\($0)" }))
            let refused = try await client.put(destination, #"{"settings":{"folder":"/etc"}}"#)
            #expect(refused.status == 400)
        }
    }
}
