import Foundation
import GRDB
import Logging
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Places of names in the catalog of a day", .timeLimit(.minutes(30))) struct CatalogSlotsTests {
    private let folder: TemporaryFolder
    private let today = Day(milliseconds: StoredEvents.noon)

    init() throws { folder = try TemporaryFolder() }

    private func makeDays(
        plan: @escaping @Sendable (Int64) throws -> TrackingPlan = { _ in .none }
    ) throws -> SQLiteDays {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return try SQLiteDays(DataFolder(path: folder.path), logger: logger, plan: plan)
    }

    /// Appends an event of each name, with numbers that go on.
    private func append(
        _ names: [String], from first: Int64, day: Int64 = 0, keys: [String] = [], to days: SQLiteDays
    ) async throws {
        let properties = keys.map { #""\#($0)":1"# }.joined(separator: ",")
        var block = EventBlock(
            identity: EventBlock.Identity(epoch: 1, after: UInt64(first), through: UInt64(first) + 1), storedAt: 1,
            writeKeys: [1: "WK"])
        for (index, name) in names.enumerated() {
            let number = first + Int64(index)
            let body = #"{"userId":"u-\#(name)","properties":{\#(properties)}}"#
            let event = StoredEvents.event(
                "m-\(number)", at: StoredEvents.day(day), name: name, userId: "u-\(name)", body: body)
            block.rows.append(
                EventBlock.Row(
                    identity: RowIdentity(kind: .event, source: 1, id: "m-\(number)"), number: number,
                    day: today.advanced(by: day), receivedAt: StoredEvents.day(day), content: .event(event)))
        }
        try await days.append(block)
    }

    private func counted(_ days: SQLiteDays, day: Int64 = 0) async throws -> [String: Int64] {
        let day = today.advanced(by: day)
        let found = try await days.nameCounts(of: 1, on: day...day, plan: .none)
        return Dictionary(found.map { ($0.name.text ?? "(others)", $0.count) }, uniquingKeysWith: +)
    }

    private let invented = (0..<Limits.countedNames).map { "Invented \($0)" }

    @Test("An event that comes often has its place, whatever was invented before it")
    func often() async throws {
        let days = try makeDays()
        try await append(invented, from: 1, to: days)
        try await append(["Order"], from: 1_000, to: days)
        #expect(try await counted(days)["Order"] == nil)
        try await append(["Order"], from: 1_001, keys: ["total"], to: days)
        let counts = try await counted(days)
        #expect(counts["Order"] == 2)
        #expect(counts["(others)"] == 1)
        #expect(counts.count == Limits.countedNames + 1)
        let name = CountedName(.track, name: "Order")
        let properties = try await days.properties(of: [name], source: 1, on: today...today, plan: .none)[name]
        #expect(properties?.keys[Array("total".utf8)]?.total == 1)
    }

    @Test("A planned event, and one of the day before, has its place at its first event, with its planned properties")
    func known() async throws {
        let plan = try TrackingPlan([
            "events": [["type": "track", "name": "Planned", "properties": [["key": "total"]]]]
        ])
        let days = try makeDays { _ in plan }
        try await append(["Yesterday"], from: 1, day: -1, keys: ["size"], to: days)
        for round in 0..<3 as Range<Int64> { try await append(invented, from: 10 + round * 1_000, to: days) }
        let keys = (0..<Limits.countedKeys + 20).map { "k\($0)" }
        try await append(["Planned", "Yesterday", "Stranger"], from: 9_000, keys: keys, to: days)
        try await append(["Planned", "Yesterday"], from: 9_010, keys: ["total", "size"], to: days)
        let counts = try await counted(days)
        #expect(counts["Planned"] == 2)
        #expect(counts["Yesterday"] == 2)
        #expect(counts["Stranger"] == nil)
        #expect(counts["(others)"] == 7)
        let name = CountedName(.track, name: "Planned")
        let found = try await days.properties(of: [name], source: 1, on: today...today, plan: .none)[name]
        #expect(found?.keys[Array("total".utf8)]?.total == 1)
        #expect(found?.keys.count == Limits.countedKeys + 1)
    }

    @Test("After any events and erasures each name that is listed has all of its events, and the others have the rest")
    func chance() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var numbers = SeededNumbers(seed: seed)
        let days = try makeDays()
        var stored: [String: Int64] = [:]
        var next: Int64 = 1
        for round in 0..<20 {
            let names = (0..<400).map { _ in
                Bool.random(using: &numbers)
                    ? "Often \(Int.random(in: 0..<20, using: &numbers))"
                    : "N\(Int.random(in: 0..<800, using: &numbers))"
            }
            try await append(names, from: next, to: days)
            next += Int64(names.count) + (round.isMultiple(of: 7) ? 20_000 : 0)
            for name in names { stored[name, default: 0] += 1 }
            if round % 3 == 2, let name = stored.keys.sorted().randomElement(using: &numbers) {
                #expect(try await days.erase("u-\(name)").events == Int(stored[name] ?? 0))
                stored[name] = nil
            }
            var counts = try await counted(days)
            let others = counts.removeValue(forKey: "(others)") ?? 0
            #expect(counts.allSatisfy { stored[$0.key] == $0.value }, "seed \(seed), round \(round)")
            #expect(counts.values.reduce(others, +) == stored.values.reduce(0, +), "seed \(seed), round \(round)")
            #expect(counts.count <= Limits.countedNames)
        }
        let counts = try await counted(days)
        #expect((0..<20).allSatisfy { stored["Often \($0)"] == nil || counts["Often \($0)"] != nil }, "seed \(seed)")
        for name in stored.keys { _ = try await days.erase("u-\(name)") }
        #expect(try await counted(days) == [:], "seed \(seed)")
    }
}
