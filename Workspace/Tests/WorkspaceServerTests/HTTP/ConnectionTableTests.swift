import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Connections and their limit") struct ConnectionTableTests {
    @Test("A new connection replaces the connection with the longest idle time")
    func eviction() {
        var table = ConnectionTable<Int>(limit: 2)
        #expect(table.open(1, now: 1) == .admitted(.ordinary))
        #expect(table.open(2, now: 2) == .admitted(.ordinary))
        table.moved(1, now: 3)
        #expect(table.open(3, now: 4) == .inPlace(of: 2, .ordinary))
        #expect(table.count == 2)
    }

    @Test("Connections that wait for an answer stay, and a new connection is refused when all connections wait")
    func busy() {
        var table = ConnectionTable<Int>(limit: 2)
        _ = table.open(1, now: 1)
        _ = table.open(2, now: 2)
        table.requested(1, now: 3)
        #expect(table.open(3, now: 4) == .inPlace(of: 2, .ordinary))
        table.requested(3, now: 5)
        #expect(table.open(4, now: 6) == .refused)
        table.close(4)
        table.answered(1, now: 7)
        #expect(table.open(5, now: 8) == .inPlace(of: 1, .ordinary))
    }

    @Test("An answer before the end of its request leaves the connection idle")
    func early() {
        var table = ConnectionTable<Int>(limit: 1)
        _ = table.open(1, now: 1)
        table.answered(1, now: 2)
        table.requested(1, now: 3)
        #expect(table.open(2, now: 4) == .inPlace(of: 1, .ordinary))
    }

    @Test("A connection whose client takes nothing makes room, unless it was slow for a moment only")
    func blocked() {
        let second: Int64 = 1_000_000_000
        var table = ConnectionTable<Int>(limit: 3)
        for id in 1...3 {
            _ = table.open(id, now: 0)
            table.requested(id, now: 0)
        }
        table.blocked(1, since: 2 * second)
        table.blocked(2, since: second)
        #expect(table.open(4, now: second + 1) == .refused)
        #expect(table.open(4, now: 4 * second) == .inPlace(of: 2, .ordinary))
        table.requested(4, now: 4 * second)
        table.blocked(1, since: nil)
        #expect(table.open(5, now: 9 * second) == .refused)
    }

    @Test("Places for administrators are used when all others are, and are free again when their connection is idle")
    func forAdministrators() {
        var table = ConnectionTable<Int>(limit: 3, forAdministrators: 1)
        for id in 1...2 {
            _ = table.open(id, now: 0)
            table.requested(id, now: 0)
        }
        #expect(table.open(3, now: 1) == .admitted(.forAdministrators))
        #expect(table.open(4, now: 2) == .inPlace(of: 3, .forAdministrators))
        table.requested(4, now: 3)
        #expect(table.open(5, now: 4) == .refused)
        table.close(4)
        table.answered(1, now: 5)
        #expect(table.open(6, now: 6) == .inPlace(of: 1, .ordinary))
        #expect(table.open(7, now: 7) == .inPlace(of: 6, .ordinary))
        #expect(table.count == 2)
    }
}
