import CWorkspaceZlib
import Foundation
import TributaryJSON
import WorkspaceCore

/// The files of one destination: its events in a file for each hour in which they came (UTC).
///
/// `2026-11-24T10.ndjson` grows. When its hour is over, it becomes `2026-11-24T10.ndjson.gz`, which is complete and never
/// changes. Events of that hour that come later, because they were tried again, get `2026-11-24T10-2.ndjson.gz`. An event is on
/// the disk when `add` returns; after a crash it may be there twice, with the same `messageId`.
///
/// For files of Parquet, `2026-11-24T10.rows` grows, which has the events as lines of JSON in the form of the list of events.
/// It becomes `2026-11-24T10.parquet`.
///
/// For one thread at a time.
struct HourFiles: Sendable {
    /// Why a file cannot be written.
    private struct Failure: Error {
        let text: String

        init(text: String) { self.text = text }

        /// - Parameter name: of the call that failed.
        init(_ name: String, _ path: String) { text = "\(path) cannot be \(name): \(String(cString: strerror(errno)))" }
    }

    /// The ends of names: of a file that grows, of one that does not grow any more, and of a complete one.
    private struct Endings {
        let growing: String
        let closing: String
        let complete: String

        static let lines = Endings(growing: ".ndjson", closing: ".closing", complete: ".ndjson.gz")
        static let tables = Endings(growing: ".rows", closing: ".rows-closing", complete: ".parquet")
        static let all = [lines, tables]
    }

    let folder: String
    /// That of the source.
    let writeKey: String
    let format: ObjectFormat
    let now: @Sendable () -> Int64

    init(folder: String, writeKey: String, format: ObjectFormat = .ndjson, now: @escaping @Sendable () -> Int64) {
        (self.folder, self.writeKey, self.format, self.now) = (folder, writeKey, format, now)
    }

    private var endings: Endings { format == .ndjson ? .lines : .tables }
    private static let pieceBytes = 64 << 10

    // MARK: Writing

    /// Appends events to the file.
    func add(_ events: [ForwardedEvent]) -> ForwardingAnswer {
        do {
            try makeFolder()
            for (hour, events) in Dictionary(grouping: events, by: { Self.hour($0.receivedAt) }) {
                let lines = try events.flatMap { try line($0) + [UInt8(ascii: "\n")] }
                try append(lines, to: "\(folder)/\(hour)\(endings.growing)")
            }
            return .accepted("written")
        } catch {
            return Self.unavailable(error)
        }
    }

    private func line(_ event: ForwardedEvent) throws -> [UInt8] {
        format == .ndjson ? event.body : try EventTable.listed(event, writeKey).encoded()
    }

    /// Whether files can be written.
    func tryFolder() -> ForwardingAnswer {
        let path = "\(folder)/.test"
        do {
            try makeFolder()
            try append([UInt8(ascii: "\n")], to: path)
            unlink(path)
            return .accepted("that its folder \(folder) can be written")
        } catch {
            return Self.unavailable(error)
        }
    }

    private static func unavailable(_ error: any Error) -> ForwardingAnswer {
        .unavailable((error as? Failure)?.text ?? SystemReason.text(error))
    }

    /// `2026-11-24T10`.
    private static func hour(_ milliseconds: Int64) -> String {
        String(ISO8601.string(milliseconds: milliseconds).prefix("2026-11-24T10".count))
    }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func append(_ bytes: [UInt8], to path: String) throws(Failure) {
        let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure("opened", path) }
        defer { close(file) }
        let end = try endOfLines(file, path)
        // The name first: a file with events then has a name that a power cut leaves, whatever failed before.
        if end == 0 { try syncNames() }
        guard Self.writeAll(bytes, file), fsync(file) == 0 else {
            let failure = Failure("written", path)
            // Half a line would spoil the next one. If this fails too, the next call cuts it off.
            ftruncate(file, end)
            throw failure
        }
    }

    /// Cuts off the begin of a line that a crash left at the end.
    private func endOfLines(_ file: Int32, _ path: String) throws(Failure) -> off_t {
        var end = lseek(file, 0, SEEK_END)
        guard end > 0 else { return 0 }
        var last: UInt8 = 0
        guard pread(file, &last, 1, end - 1) == 1 else { throw Failure("read", path) }
        if last == UInt8(ascii: "\n") { return end }
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        while end > 0 {
            let start = max(0, end - off_t(Self.pieceBytes))
            let count = pread(file, &piece, Int(end - start), start)
            guard count == Int(end - start) else { throw Failure("read", path) }
            if let index = piece[..<count].lastIndex(of: UInt8(ascii: "\n")) {
                end = start + off_t(index) + 1
                break
            }
            end = start
        }
        guard ftruncate(file, end) == 0 else { throw Failure("shortened", path) }
        return end
    }

    private static func writeAll(_ bytes: [UInt8], _ file: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = write(file, bytes.baseAddress.map { $0 + written }, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    /// Brings the names in the folder to the medium, and those of the folder and of the folders above it: each of them may have
    /// been made a moment ago.
    private func syncNames() throws(Failure) {
        do { try AtomicFolder.syncNames(above: folder + "/file") } catch { throw Failure("kept", folder) }
    }

    // MARK: Closing

    /// Completes the files of hours that are over, when their last event came some time ago. The next call tries files again that
    /// could not be completed.
    /// - Returns: why files could not be completed.
    func closeHours() -> [String] {
        // Nothing was written yet.
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            return ["the files in \(folder) cannot be listed: \(SystemReason.text(error))"]
        }
        var failures: [String] = []
        for name in names {
            do throws(Failure) {
                for endings in Endings.all {
                    if name.hasSuffix(endings.closing) { try finish(name, endings) }
                    if name.hasSuffix(endings.growing) { try closeIfOver(name, endings) }
                }
            } catch {
                failures.append(error.text)
            }
        }
        return failures
    }

    /// Completes a file that grows, when its hour is over.
    private func closeIfOver(_ name: String, _ endings: Endings) throws(Failure) {
        let hour = String(name.dropLast(endings.growing.count))
        guard isOver(hour, "\(folder)/\(name)") else { return }
        let target = freeName(hour, endings) + endings.closing
        guard rename("\(folder)/\(name)", "\(folder)/\(target)") == 0 else {
            throw Failure("renamed", "\(folder)/\(name)")
        }
        try finish(target, endings)
    }

    private func isOver(_ hour: String, _ path: String) -> Bool {
        guard let start = ISO8601.milliseconds("\(hour):00:00.000Z") else { return false }
        let border = now() - Limits.fileGraceMilliseconds
        guard start + 3_600_000 <= border else { return false }
        guard let changed = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date else {
            return false
        }
        return Int64(changed.timeIntervalSince1970 * 1_000) <= border
    }

    /// The first name of an hour that no file has: `2026-11-24T10`, `2026-11-24T10-2`.
    private func freeName(_ hour: String, _ endings: Endings) -> String {
        var number = 1
        var name: String { number == 1 ? hour : "\(hour)-\(number)" }
        while [endings.complete, endings.closing].contains(where: {
            FileManager.default.fileExists(atPath: "\(folder)/\(name)\($0)")
        }) {
            number += 1
        }
        return name
    }

    /// Completes a file that does not grow any more. A crash at any point leaves what the next call needs.
    private func finish(_ name: String, _ endings: Endings) throws(Failure) {
        let source = "\(folder)/\(name)"
        let target = "\(folder)/\(name.dropLast(endings.closing.count))\(endings.complete)"
        if !FileManager.default.fileExists(atPath: target) {
            let partial = target + ".part"
            if endings.complete == Endings.tables.complete {
                try makeTable(source, partial)
            } else {
                try Self.compress(source, to: partial)
            }
            guard rename(partial, target) == 0 else { throw Failure("renamed", partial) }
            try syncNames()
        }
        guard unlink(source) == 0 else { throw Failure("removed", source) }
    }

    private static func compress(_ source: String, to target: String) throws(Failure) {
        guard let input = fopen(source, "r") else { throw Failure("opened", source) }
        defer { fclose(input) }
        guard let output = gzopen(target, "wb") else { throw Failure("opened", target) }
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        var isWritten = true
        while isWritten {
            let count = fread(&piece, 1, Self.pieceBytes, input)
            guard count > 0 else { break }
            isWritten = gzwrite(output, piece, UInt32(count)) == Int32(count)
        }
        isWritten = ferror(input) == 0 && isWritten
        guard gzclose(output) == Z_OK, isWritten else { throw Failure("written", target) }
        let file = open(target, O_RDONLY)
        guard file >= 0 else { throw Failure("opened", target) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw Failure("kept", target) }
    }

    // MARK: Tables

    /// Writes a file of Parquet of the lines of another one, with the columns of now.
    private func makeTable(_ source: String, _ target: String) throws(Failure) {
        let input = fopen(source, "r")
        guard let input else { throw Failure("opened", source) }
        defer { fclose(input) }
        let output = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw Failure("opened", target) }
        defer { close(output) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        do {
            var table = try ParquetExport(columns: columns)
            var isWritten = Self.writeAll(table.begin(), output)
            while isWritten {
                let count = getline(&line, &capacity, input)
                guard count > 0, let line else { break }
                let bytes = UnsafeRawBufferPointer(start: line, count: count)
                // A crash left the begin of an event, which came once more after it.
                guard bytes.last == UInt8(ascii: "\n") else { break }
                isWritten = Self.writeAll(try table.row(try JSON.parse(Array(bytes.dropLast()))), output)
            }
            if isWritten, ferror(input) == 0 {
                isWritten = Self.writeAll(try table.end(), output)
            } else {
                isWritten = false
            }
            guard isWritten, fsync(output) == 0 else { throw Failure("written", target) }
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(text: "\(source) cannot become a table: \(error)")
        }
    }

    private var columns: String? {
        if case .parquet(let columns) = format { columns } else { nil }
    }
}
