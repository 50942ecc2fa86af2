import Foundation
import TestSupport
import Testing

@testable import Tributary

@Suite("A real disk that is full", .enabled(if: SmallDisk.isAvailable, "this process may not mount a file system"))
struct SmallDiskTests {
    @Test("On a real full disk events wait in memory and are written in order when there is room")
    func full() async throws {
        let disk = try SmallDisk(kilobytes: 512)
        let client = Client.storing(in: disk.url)
        client.analytics.track(name: "E0")
        let filler = disk.url.appendingPathComponent("filler")
        try disk.fill(filler)
        var tracked = 0
        while client.analytics.storageState.survivesProcess, tracked < 10_000 {
            tracked += 1
            client.analytics.track(name: "E\(tracked)")
        }
        #expect(client.analytics.storageState.reason == .noSpace)
        for _ in 0..<100 {
            tracked += 1
            client.analytics.track(name: "E\(tracked)")
        }
        try FileManager.default.removeItem(at: filler)
        client.time.advance(by: FailoverLog.retryInterval)
        await client.reported(reason: "recovered")
        #expect(client.analytics.storageState.survivesProcess)
        await client.ended()
        let next = Client(folder: disk.url)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == (0...tracked).map { "E\($0)" })
        #expect(next.analytics.counters.lost.isEmpty)
        await next.ended()
    }

    @Test("A disk that becomes read-only and writable again costs no event and no order")
    func readOnly() async throws {
        let disk = try SmallDisk(kilobytes: 4096)
        let client = Client.storing(in: disk.url)
        client.analytics.track(name: "E0")
        await client.ended()
        try disk.remount("ro")
        let second = Client.storing(in: disk.url)
        second.analytics.track(name: "E1")
        #expect(second.analytics.storageState.reason == .readOnly)
        try disk.remount("rw")
        second.time.advance(by: Limits.storageCheckInterval)
        await second.reported(reason: "recovered")
        #expect(second.analytics.storageState.survivesProcess)
        await second.ended()
        let next = Client(folder: disk.url)
        next.begin()
        await next.server.confirmed(2)
        #expect(Set(next.server.names) == ["E0", "E1"])
        await next.ended()
    }
}

/// A file system of its own, in memory and small, where the process may mount one.
private final class SmallDisk {
    static let isAvailable: Bool = (try? SmallDisk(kilobytes: 64)) != nil

    struct Failure: Error { let status: Int32 }

    let url: URL

    init(kilobytes: Int) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("tributary-disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        do {
            try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", url.path)
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
    }

    deinit {
        try? Self.run("umount", "-l", url.path)
        try? FileManager.default.removeItem(at: url)
    }

    func remount(_ mode: String) throws { try Self.run("mount", "-o", "remount,\(mode)", url.path) }

    /// Takes all the room that is left.
    func fill(_ file: URL) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        for size in [4096, 256] {
            while (try? handle.write(contentsOf: Data(repeating: 0, count: size))) != nil {}
        }
        try handle.close()
    }

    private static func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.start()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    }
}
