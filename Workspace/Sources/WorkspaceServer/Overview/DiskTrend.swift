import Foundation
import TributaryJSON
import WorkspaceCore

/// When the disk is full, if days go on as the last ones were.
///
/// The days of events are what grows, and each is a file, so their sizes are the trend, also right after a start.
struct DiskTrend: Sendable, Equatable {
    /// Bytes that a day takes; nil before there are two whole days.
    let bytesPerDay: Int64?
    /// Nil when that is not known, or when old days make room for new ones.
    let fullOn: Day?

    /// Whole days that count.
    static let days: Int64 = 7

    /// - Parameters:
    ///   - sizes: bytes of whole days.
    ///   - free: bytes of the disk.
    ///   - count: how many days there are.
    ///   - retainDays: after how many days one is deleted; nil for never.
    init(_ sizes: [Int64], free: Int64, count: Int64, retainDays: Int64?, today: Day) {
        guard sizes.count >= 2 else {
            (bytesPerDay, fullOn) = (nil, nil)
            return
        }
        let perDay = max(1, sizes.reduce(0, +) / Int64(sizes.count))
        bytesPerDay = perDay
        let left = free / perDay
        let isSteady = retainDays.map { max(0, $0 - count) <= left } ?? false
        fullOn = isSteady || left > 36_500 ? nil : today.advanced(by: left)
    }

    /// Reads the sizes of the last whole days.
    static func read(_ store: Store, free: Int64, retainDays: Int?, today: Day) async throws -> DiskTrend {
        let all = try await store.storage.days()
        let whole = all.filter { $0 < today && today.number - $0.number <= days }
        let sizes = whole.map { size(store.folder.path(of: $0)) }
        return DiskTrend(
            sizes, free: free, count: Int64(all.count), retainDays: retainDays.map { Int64($0) }, today: today)
    }

    /// 0 for a file that is gone.
    private static func size(_ path: String) -> Int64 {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.int64Value ?? 0
    }
}
