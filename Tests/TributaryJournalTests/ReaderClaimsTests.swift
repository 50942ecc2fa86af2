import Foundation
import Testing

@testable import TributaryJournal

@Suite("What a reader has taken and uses")
struct ReaderClaimsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A record that nobody uses counts when it leaves")
    func unused() {
        var claims = ReaderClaims()
        let left = claims.leave(from: 1, through: 3, .deleted)
        #expect(left == 3)
        let later = claims.hold(through: 0)
        #expect(later == [:])
    }

    @Test("A record that the reader has taken never counts")
    func taken() {
        var claims = ReaderClaims()
        claims.take(through: 2)
        let left = [2, 5].map { claims.leave(from: 1, through: $0, .dropped) }
        #expect(left == [0, 3])
        let later = claims.hold(through: 0)
        #expect(later == [:])
    }

    @Test("A record in use counts when its use ends and the reader has not taken it")
    func inUse() {
        var claims = ReaderClaims()
        let before = claims.hold(through: 4)
        #expect(before == [:])
        let left = [6, 0].map { claims.leave(from: 1, through: $0, .deleted) }
        #expect(left == [2, 0])
        claims.take(through: 3)
        let ends = (0..<2).map { _ in claims.hold(through: 0) }
        #expect(ends == [[.deleted: 1], [:]])
    }

    @Test("Open losses go on with the log that replaces this one")
    func takenOver() {
        var claims = ReaderClaims()
        _ = claims.hold(through: 4)
        _ = claims.leave(from: 1, through: 4, .missing)
        var next = ReaderClaims()
        _ = next.hold(through: 4)
        next.take(through: 1)
        next.takeOver(claims)
        next.take(through: 2)
        let later = next.hold(through: 0)
        #expect(later == [.missing: 2])
    }

    @Test(
        "Records of a deleted file that are in use count as missing only when they do not arrive",
        arguments: [false, true])
    func missing(arrives: Bool) throws {
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(40)
            let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().first)
            journal.hold(through: 40)
            try FileManager.default.removeItem(atPath: folder.path + "/" + file)
            let left = try journal.records().count
            #expect(left < 40)
            #expect(missing(journal) == 0)
            if arrives { _ = journal.take(through: 40) }
            journal.hold(through: nil)
            #expect(missing(journal) == (arrives ? 0 : 40 - left))
        }
    }

    private func missing(_ journal: Journal) -> Int {
        journal.takeReports().reduce(0) { sum, report in
            if case .missingSegments(let records) = report { sum + records } else { sum }
        }
    }
}
