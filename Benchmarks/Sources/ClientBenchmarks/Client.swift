import Foundation
import Measuring
import Tributary

/// A client in a folder of its own, set up so that only what is measured happens.
struct Client {
    let analytics: Analytics
    private let folder: URL

    /// - Parameters:
    ///   - folder: an existing folder; the client gets a new one inside.
    ///   - transport: where settings and batches go.
    ///   - server: host and path for batches; delivery starts by itself only when it is given.
    init(in folder: String, transport: any Transport, server: String? = nil) throws {
        self.folder = URL(fileURLWithPath: folder).appendingPathComponent("client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        analytics = Analytics(
            configuration: Configuration(writeKey: "benchmark")
                .apiHost(server ?? "http://127.0.0.1:9/v1").cdnHost("http://127.0.0.1:9/v1")
                .flushAt(server == nil ? .max : 20).flushInterval(server == nil ? 0 : 30)
                .settingsInterval(0).settingsTimeout(86_400)
                .storageMode(.diskAtURL(self.folder)).transport(transport))
    }

    /// Tracks one event as an app does.
    @inline(__always)
    func track(_ number: Int) {
        analytics.track(name: Samples.eventName, properties: Samples.properties(number))
    }

    /// Ends the client and removes its folder.
    func end() throws {
        let ended = DispatchSemaphore(value: 0)
        analytics.shutdown { ended.signal() }
        guard ended.wait(timeout: .now() + 60) == .success else { throw Failure("the client does not end") }
        try FileManager.default.removeItem(at: folder)
    }

    /// Bytes of all files of the client.
    func storedBytes() throws -> Int {
        guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.fileSizeKey]) else {
            throw Failure("\(folder.path) cannot be read")
        }
        return try files.reduce(0) { sum, file in
            guard let url = file as? URL else { return sum }
            return sum + (try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
        }
    }

    /// Bytes that one event takes in the inbox.
    static func bytesPerEvent(in folder: String) throws -> Int {
        let client = try Client(in: folder, transport: LocalTransport(settings: nil))
        let count = 100
        let before = try client.storedBytes()
        for number in 0..<count { client.track(number) }
        let bytes = (try client.storedBytes() - before) / count
        try client.end()
        guard (100..<2_000).contains(bytes) else { throw Failure("an event takes \(bytes) bytes: what is counted?") }
        return bytes
    }
}

extension Analytics {
    /// Waits until everything that was tracked went through the timeline.
    /// - Parameter pause: microseconds between two looks.
    func awaitProcessed(pause: UInt32 = 500) throws {
        try wait(for: "that all events are processed", pause: pause) { $0.processed >= $0.tracked }
    }

    /// Waits until a server has confirmed something.
    func awaitUpload() throws {
        try wait(for: "an upload") { $0.uploaded > 0 }
    }

    /// Waits until the counters say so.
    func awaitCounters(_ what: String, _ isTrue: (EventCounters) -> Bool) throws { try wait(for: what, isTrue) }

    private func wait(for what: String, pause: UInt32 = 500, _ isTrue: (EventCounters) -> Bool) throws {
        let deadline = Clock.monotonic() + 60_000_000_000
        while !isTrue(counters) {
            guard Clock.monotonic() < deadline else { throw Failure("waited a minute for \(what)") }
            usleep(pause)
        }
    }
}
