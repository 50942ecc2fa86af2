import Foundation
package import GRDB
package import Logging
import Synchronization

extension MessageIndex {
    /// Moves the newest messages into files, when they are many.
    ///
    /// The files are on the medium before the transaction that names them, and messages leave the database in that
    /// transaction, so a crash at any point loses none and leaves none twice.
    /// - Returns: whether there are new files.
    @discardableResult
    package func moveToFiles(_ pool: DatabasePool, atLeast least: Int = Limits.recentMessages) throws -> Bool {
        let days = state.withLock { state -> [(day: Day, number: Int64, entries: [MessageEntry])] in
            guard state.recent.count >= max(least, 1) else { return [] }
            return Dictionary(grouping: state.recent, by: \.value.day).sorted { $0.key < $1.key }.map { day, rows in
                defer { state.nextNumber += 1 }
                let entries = rows.map {
                    MessageEntry(key: $0.key.key, source: $0.key.source, receivedAt: $0.value.receivedAt)
                }
                return (day, state.nextNumber, entries)
            }
        }
        guard !days.isEmpty else { return false }
        var files: [MessageFile] = []
        do {
            for (day, number, entries) in days {
                files.append(try write(entries.sorted(), as: number, of: day))
            }
            let written = files
            try pool.write { db in
                try db.execute(sql: "DELETE FROM recentMessages")
                for file in written { try Self.name(file, db) }
            }
        } catch {
            files.forEach(delete)
            throw error
        }
        state.withLock { state in
            state.recent = [:]
            state.insert(files)
        }
        return true
    }

    /// The same on a thread that may wait for the disk.
    func moveToFilesApart(_ pool: DatabasePool) async throws -> Bool {
        guard state.withLock({ $0.recent.count >= Limits.recentMessages }) else { return false }
        return try await withCheckedThrowingContinuation { continuation in
            moving.async { continuation.resume(with: Result { try self.moveToFiles(pool) }) }
        }
    }

    /// Merges files in the background until there is nothing to merge.
    package func merge(_ pool: DatabasePool, _ logger: Logger) {
        merging.async { [self] in
            do {
                while try mergeOnce(pool) {}
            } catch is MergeEnded {
                // The index is closed.
            } catch {
                logger.warning("files of message ids cannot be merged now", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Ends the work in the background.
    package func close() {
        state.withLock { $0.isClosed = true }
        merging.sync {}
    }

    /// - Returns: whether there was anything to merge.
    package func mergeOnce(_ pool: DatabasePool) throws -> Bool {
        let (inputs, number, forgotten) = state.withLock { state -> ([MessageFile], Int64, [Int64: Int64]) in
            let chosen = MessageMerge.next(
                state.files.map { MessageMerge.File(number: $0.number, day: $0.day, count: $0.count) })
            let numbers = Set(chosen.map(\.number))
            defer { state.nextNumber += numbers.isEmpty ? 0 : 1 }
            return (state.files.filter { numbers.contains($0.number) }, state.nextNumber, state.forgotten)
        }
        guard let day = inputs.first?.day else { return false }
        let merged = try merge(inputs, as: number, of: day, forgotten)
        let isCurrent = try pool.write { db -> Bool in
            for file in inputs {
                try db.execute(sql: "DELETE FROM messageFile WHERE number = ?", arguments: [file.number])
                // The day was forgotten meanwhile.
                guard db.changesCount == 1 else { return false }
            }
            try merged.map { try Self.name($0, db) }
            return true
        }
        let removed = state.withLock { state -> [MessageFile] in
            guard isCurrent else { return merged.map { [$0] } ?? [] }
            state.files.removeAll { file in inputs.contains { $0.number == file.number } }
            state.insert(merged.map { [$0] } ?? [])
            return inputs
        }
        removed.forEach(delete)
        return true
    }

    /// - Returns: nil when all entries are forgotten.
    private func merge(
        _ inputs: [MessageFile], as number: Int64, of day: Day, _ forgotten: [Int64: Int64]
    ) throws -> MessageFile? {
        var writer = try MessageFileWriter(number, of: day, in: folder, atMost: inputs.reduce(0) { $0 + $1.count })
        do {
            var cursors = try inputs.map { try MergeCursor($0) }
            var (last, count): (MessageEntry?, Int) = (nil, 0)
            while let index = MergeCursor.first(of: cursors) {
                let (entry, file) = (cursors[index].entry, inputs[index])
                try cursors[index].advance()
                guard let entry, last.map({ !$0.isSameMessage(as: entry) }) ?? true,
                    forgotten[entry.source].map({ file.number > $0 }) ?? true
                else { continue }
                try writer.append(entry)
                last = entry
                count += 1
                if count % 10_000 == 0, state.withLock({ $0.isClosed }) { throw MergeEnded() }
            }
            guard count > 0 else {
                writer.abandon()
                return nil
            }
            return try writer.finish()
        } catch {
            unlink(MessageFile.path(number, in: folder) + ".partial")
            throw error
        }
    }

    private func write(_ entries: [MessageEntry], as number: Int64, of day: Day) throws -> MessageFile {
        var writer = try MessageFileWriter(number, of: day, in: folder, atMost: entries.count)
        do {
            for entry in entries { try writer.append(entry) }
            return try writer.finish()
        } catch {
            writer.abandon()
            throw error
        }
    }

    private static func name(_ file: MessageFile, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO messageFile (number, day, count) VALUES (?, ?, ?)",
            arguments: [file.number, file.day.description, file.count])
    }
}

private struct MergeEnded: Error {}

/// Where a merge stands in one of its files.
private struct MergeCursor {
    private var reader: MessageFile.Reader
    private(set) var entry: MessageEntry?

    init(_ file: MessageFile) throws {
        reader = try MessageFile.Reader(file)
        entry = try reader.next()
    }

    mutating func advance() throws { entry = try reader.next() }

    /// The cursor with the smallest entry; nil when all are at their ends.
    static func first(of cursors: [MergeCursor]) -> Int? {
        var first: (index: Int, entry: MessageEntry)?
        for (index, cursor) in cursors.enumerated() {
            guard let entry = cursor.entry, first.map({ entry < $0.entry }) ?? true else { continue }
            first = (index, entry)
        }
        return first?.index
    }
}

extension MessageIndex.State {
    package mutating func insert(_ files: [MessageFile]) {
        self.files = (self.files + files).sorted { $0.day > $1.day }
        keepLimits()
    }

    /// Filters of the oldest days stay on the disk when those of the others fill the memory that is meant for them; and
    /// only the files of the newest days stay open.
    func keepLimits() {
        var bytes = 0
        for (index, file) in files.enumerated() {
            bytes += file.filterBytes
            if bytes > Limits.messageFilterBytes { file.dropFilter() }
            if index >= Limits.openMessageFiles { file.dropDescriptor() }
        }
    }
}
