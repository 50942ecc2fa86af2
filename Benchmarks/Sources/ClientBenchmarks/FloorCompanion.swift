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
        uploads = try port.map { Uploads(try BareConnection(port: $0), in: folder) }
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

/// Sends batches, on a thread of its own, with what nobody who delivers compressed and durable events can leave out: a batch is
/// compressed and posted, and a small file is replaced that says how far the server has confirmed.
///
/// Unchecked because the connection and the files are only used on the queue.
private final class Uploads: @unchecked Sendable {
    /// The size of a batch, when 20 waiting events begin a delivery and more come meanwhile.
    private static let eventsInBatch = 36
    /// How much smaller such a batch is when it is compressed.
    private static let compression = 4
    /// Passes over the bytes that take as long as compressing them: zlib needs about 2 us for an event.
    private static let passes = 5
    private static let confirmedBytes = 292

    private let queue = DispatchQueue(label: "floor.uploads", qos: .utility)
    private let connection: BareConnection
    private let confirmed: URL

    init(_ connection: BareConnection, in folder: String) {
        self.connection = connection
        confirmed = URL(fileURLWithPath: folder).appendingPathComponent("confirmed")
    }

    func send(_ events: Int, of bytes: Int) {
        queue.async {
            let batch = [UInt8](repeating: 0x61, count: bytes * Self.eventsInBatch)
            // A batch that fails only makes the floor's company lighter.
            for _ in 0..<events / Self.eventsInBatch { try? self.deliver(batch) }
        }
    }

    func rest() { queue.sync {} }

    private func deliver(_ batch: [UInt8]) throws {
        var sum: UInt64 = 0
        for _ in 0..<Self.passes { for byte in batch { sum = sum &* 31 &+ UInt64(byte) } }
        let body = [UInt8](repeating: UInt8(truncatingIfNeeded: sum), count: batch.count / Self.compression)
        try connection.post(body)
        // Foundation's atomic writing also waits for the medium, which the client does not.
        let new = confirmed.appendingPathExtension("new")
        try Data(body.prefix(Self.confirmedBytes)).write(to: new)
        guard rename(new.path, confirmed.path) == 0 else { throw Failure("cannot rename: \(errno)") }
    }
}
