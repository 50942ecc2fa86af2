import Foundation
import Testing

@testable import Tributary

@Suite("Ids")
struct IdentifiersTests {
    @Test("A new id is a random UUID in its canonical form and unique")
    func uuid() throws {
        let ids = (0..<2000).map { _ in Identifiers.uuid() }
        #expect(Set(ids).count == ids.count)
        for id in ids {
            #expect(try #require(UUID(uuidString: id)).uuidString.lowercased() == id)
            let characters = Array(id)
            #expect(characters[14] == "4")
            #expect("89ab".contains(characters[19]))
        }
        // Every digit but those two takes every value: none is left out of the randomness.
        for position in 0..<36 where ![8, 13, 14, 18, 19, 23].contains(position) {
            #expect(Set(ids.map { Array($0)[position] }).count == 16)
        }
    }

    @Test("Ids that many threads make at once are unique")
    func concurrent() async {
        let ids = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 { group.addTask { (0..<500).map { _ in Identifiers.uuid() } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(ids).count == 4000)
    }

    #if os(Linux)
    /// The symbol, because Swift does not offer the function: of a process with threads, only the caller's goes on.
    private typealias Fork = @convention(c) () -> Int32

    @Test("A forked process makes other ids than its parent")
    func forked() throws {
        let fork = unsafeBitCast(try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork")), to: Fork.self)
        let pool = RandomPool()
        _ = pool.pair()
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let child = fork()
        if child == 0 {
            var numbers = pool.pair()
            _exit(write(ends[1], &numbers, 16) == 16 ? 0 : 1)
        }
        var status: Int32 = 0
        #expect(child > 0 && waitpid(child, &status, 0) == child && status == 0)
        let ofParent = pool.pair()
        var ofChild: (UInt64, UInt64) = (0, 0)
        #expect(read(ends[0], &ofChild, 16) == 16)
        #expect(ofChild != ofParent && ofChild != (0, 0))
        for end in ends { close(end) }
    }
    #endif

    @Test("Derived ids follow from their parent and their number, and stay within the protocol's length")
    func derived() {
        let parent = Identifiers.uuid()
        #expect(Identifiers.derived(from: parent, ordinal: 1) == "\(parent)-1")
        var id = parent
        for _ in 0..<50 { id = Identifiers.derived(from: id, ordinal: 7) }
        #expect(id.utf8.count < 100)
        #expect(Identifiers.derived(from: id, ordinal: 1) == Identifiers.derived(from: id, ordinal: 1))
        #expect(Identifiers.derived(from: id, ordinal: 1) != Identifiers.derived(from: id, ordinal: 2))
    }
}
