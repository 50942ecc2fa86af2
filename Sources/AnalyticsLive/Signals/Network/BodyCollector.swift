import Foundation

/// The beginning of a body, up to a limit. A body that exceeds the limit is released at once.
struct BodyCollector: Sendable {
    /// The bytes that came, when there were few enough; empty otherwise.
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
