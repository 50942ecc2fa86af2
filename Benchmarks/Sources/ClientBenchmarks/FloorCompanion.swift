import Foundation
import Measuring

/// Works beside the floor as the pipeline works beside a call of `track`: on another thread it frees what the caller
/// allocated, computes, allocates, and writes up to 16 events at a time.
///
/// Without it the floor's tail would be that of a quiet process, and the call's tail that of a busy one.
///
/// Unchecked because the file and what has gathered are only touched on the queue.
final class FloorCompanion: @unchecked Sendable {
    /// What the pipeline does for an event, as `allocations-per-event` and `instructions-per-event` have it.
    private static let (allocations, passes, eventsPerWrite) = (14, 16, 16)

    private let queue = DispatchQueue(label: "floor", qos: .utility)
    private let file: BareFile
    private var gathered: [UInt8] = []
    private var events = 0
    /// Sends batches, when the client does so, too.
    private let uploads: Uploads?

    /// - Parameter port: that of the server on this machine that takes batches; nil sends nothing.
    init(in folder: String, uploadsTo port: UInt16?) throws {
        file = try BareFile(in: folder)
        uploads = try port.map { Uploads(try BareConnection(port: $0)) }
    }

    /// Hands over an event, of which the caller allocated the parts, as `track` does. Returns at once.
    func take(_ bytes: [UInt8]) {
        let parts = (0..<Self.allocations / 2).map { [UInt8](repeating: UInt8($0), count: 48) }
        queue.async { self.work(bytes, parts) }
    }

    /// Begins to send the batches of so many events. Those of a client that were tracked before go out while it tracks the
    /// next ones.
    func send(_ events: Int, of bytes: Int) { uploads?.send(events, of: bytes) }

    /// Waits until it has done everything.
    func rest() {
        queue.sync {}
        uploads?.rest()
    }

    private func work(_ bytes: [UInt8], _ parts: [[UInt8]]) {
        var sum: UInt64 = 0
        for _ in 0..<Self.passes { bytes.withUnsafeBytes { for byte in $0 { sum = sum &* 31 &+ UInt64(byte) } } }
        let own = parts.map { $0.map { $0 &+ UInt8(truncatingIfNeeded: sum) } }
        blackHole(own)
        gathered += bytes
        gathered += bytes
        events += 1
        guard events >= Self.eventsPerWrite else { return }
        // The floor is measured elsewhere; a write that fails only makes its company lighter.
        try? file.append(gathered)
        gathered.removeAll(keepingCapacity: true)
        events = 0
    }
}

/// Posts a batch for each 100 events, on a thread of its own.
///
/// Unchecked because the connection is only used on the queue.
private final class Uploads: @unchecked Sendable {
    private static let eventsInBatch = 100
    /// How much smaller a batch of such events is when it is compressed.
    private static let compression = 10

    private let queue = DispatchQueue(label: "floor.uploads", qos: .utility)
    private let connection: BareConnection

    init(_ connection: BareConnection) { self.connection = connection }

    func send(_ events: Int, of bytes: Int) {
        let body = [UInt8](repeating: 0x61, count: bytes * Self.eventsInBatch / Self.compression)
        queue.async {
            // A batch that fails only makes the floor's company lighter.
            for _ in 0..<events / Self.eventsInBatch { try? self.connection.post(body) }
        }
    }

    func rest() { queue.sync {} }
}
