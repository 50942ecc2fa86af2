import Foundation
import Testing

@testable import TributaryCommand

@Suite("Locks that processes hold") struct HeldLocksTests {
    #if os(Linux)
    @Test("A lock that one list leaves out is found in the next")
    func incompleteList() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("held-locks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("lock").path
        let descriptor = open(path, O_CREAT | O_RDWR, 0o600)
        defer { close(descriptor) }
        #expect(HeldLocks.isHeld(path) == false)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        var readings = 0
        let isHeld = HeldLocks.isHeld(path) {
            readings += 1
            return readings < 3 ? "" : HeldLocks.systemList()
        }
        #expect(isHeld == true)
        #expect(readings >= 3)
    }

    @Test("A lock is found among hundreds of others, wherever it stands in the list")
    func longList() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("held-locks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = (0..<300).map { folder.appendingPathComponent("lock-\($0)").path }
        let descriptors = paths.map { open($0, O_CREAT | O_RDWR, 0o600) }
        defer { for descriptor in descriptors { close(descriptor) } }
        for descriptor in descriptors { #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0) }
        for path in paths { #expect(HeldLocks.isHeld(path) == true) }
    }

    @Test("A system without the list says nothing")
    func noList() { #expect(HeldLocks.isHeld("/") { nil } == nil) }
    #endif
}
