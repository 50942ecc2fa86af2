import Foundation
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("A file of message ids") struct MessageFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func entry(_ id: String, source: Int64 = 1) -> MessageEntry {
        MessageEntry(key: MessageKey(.event, id), source: source, receivedAt: Int64(id.count))
    }

    private func write(_ entries: [MessageEntry]) throws -> MessageFile {
        var writer = try MessageFileWriter(7, of: Day(number: 20_000), in: folder.path, atMost: entries.count)
        for entry in entries.sorted() { try writer.append(entry) }
        return try writer.finish()
    }

    private func found(_ ids: [String], in file: MessageFile) throws -> [MessageEntry] {
        var found: [MessageEntry] = []
        try file.find(ids.map { MessageKey(.event, $0) }) { found.append($0) }
        return found
    }

    @Test("A lookup finds every message with its source and its time, and no other message", arguments: [true, false])
    func finding(isFilterInMemory: Bool) throws {
        let ids = (0..<3_000).map { "message-\($0)" }
        // Equal ids of many sources continue in the next group of the file.
        let shared = (2..<400).map { entry("message-0", source: $0) }
        let file = try write(ids.map { entry($0) } + shared)
        if !isFilterInMemory {
            file.dropFilter()
            file.dropDescriptor()
        }
        #expect((file.filterBytes > 0) == isFilterInMemory)
        #expect(file.count == 3_398)
        #expect(file.day == Day(number: 20_000))
        #expect(try found(ids, in: file).sorted() == (ids.map { entry($0) } + shared).sorted())
        #expect(try found((0..<3_000).map { "other-\($0)" }, in: file) == [])
        var all: [MessageEntry] = []
        try file.forEachEntry { all.append($0) }
        #expect(all == (ids.map { entry($0) } + shared).sorted())
    }

    @Test("The filter lets few messages pass that are not stored")
    func filter() {
        var filter = MessageFilter(count: 20_000)
        for number in 0..<20_000 { filter.insert(MessageKey(.event, "in-\(number)")) }
        #expect((0..<20_000).allSatisfy { filter.mayContain(MessageKey(.event, "in-\($0)")) })
        #expect((0..<20_000).count { filter.mayContain(MessageKey(.event, "out-\($0)")) } < 400)
        #expect(MessageFilter(count: 0).mayContain(MessageKey(.event, "a")) == false)
    }

    @Test("A changed byte and a missing end are noticed in every place")
    func damage() throws {
        let path = try write((0..<500).map { entry("\($0)") }).path
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for offset in stride(from: 0, to: whole.count, by: 41) {
            var changed = whole
            changed[offset] ^= 0x10
            try changed.write(to: URL(fileURLWithPath: path))
            #expect(throws: MessageFile.Damage.self, "byte \(offset)") {
                try MessageFile(7, in: folder.path).forEachEntry { _ in }
            }
        }
        for length in [0, 10, 64, 5_000, whole.count - 1] {
            try whole.prefix(length).write(to: URL(fileURLWithPath: path))
            #expect(throws: MessageFile.Damage.self) { _ = try MessageFile(7, in: folder.path) }
        }
        try FileManager.default.removeItem(atPath: path)
        #expect { _ = try MessageFile(7, in: folder.path) } throws: { ($0 as? MessageFile.Damage)?.isMissing == true }
    }
}
