import Foundation

/// The beginning of a body, as far as it is worth keeping: one that grows beyond the limit is let go of at once.
struct BodyCollector: Sendable {
    /// What came, when it was little enough; empty when nothing came.
    private(set) var data = Data()
    /// Whether there was more than the limit.
    private(set) var isTooLarge = false
    private let limit: Int

    init(limit: Int = CaptureLimits.bodyBytes) { self.limit = limit }

    mutating func take(_ more: Data) {
        guard !isTooLarge else { return }
        guard data.count + more.count <= limit else {
            isTooLarge = true
            data = Data()
            return
        }
        data.append(more)
    }
}
