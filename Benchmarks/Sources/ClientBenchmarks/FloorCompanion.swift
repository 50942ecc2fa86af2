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

    init(in folder: String) throws { file = try BareFile(in: folder) }

    /// Hands over an event, of which the caller allocated the parts, as `track` does. Returns at once.
    func take(_ bytes: [UInt8]) {
        let parts = (0..<Self.allocations / 2).map { [UInt8](repeating: UInt8($0), count: 48) }
        queue.async { self.work(bytes, parts) }
    }

    /// Waits until it has done everything.
    func rest() { queue.sync {} }

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
