import Testing

@testable import WorkspaceServer

@Suite("Connections and their limit") struct ConnectionTableTests {
    @Test("A new connection replaces the connection with the longest idle time")
    func eviction() {
        var table = ConnectionTable<Int>(limit: 2)
        #expect(table.open(1, now: 1) == .admitted)
        #expect(table.open(2, now: 2) == .admitted)
        table.moved(1, now: 3)
        #expect(table.open(3, now: 4) == .inPlace(of: 2))
        #expect(table.count == 2)
    }

    @Test("Connections that wait for an answer stay, and a new connection is refused when all connections wait")
    func busy() {
        var table = ConnectionTable<Int>(limit: 2)
        _ = table.open(1, now: 1)
        _ = table.open(2, now: 2)
        table.requested(1, now: 3)
        #expect(table.open(3, now: 4) == .inPlace(of: 2))
        table.requested(3, now: 5)
        #expect(table.open(4, now: 6) == .refused)
        table.close(4)
        table.answered(1, now: 7)
        #expect(table.open(5, now: 8) == .inPlace(of: 1))
    }

    @Test("An answer before the end of its request leaves the connection idle")
    func early() {
        var table = ConnectionTable<Int>(limit: 1)
        _ = table.open(1, now: 1)
        table.answered(1, now: 2)
        table.requested(1, now: 3)
        #expect(table.open(2, now: 4) == .inPlace(of: 1))
    }
}
