import Foundation

/// Makes the ids of installations, for `Configuration.anonymousIdGenerator(_:)`.
///
/// The client calls it at the first start and at each reset, one call at a time, on any thread.
public protocol AnonymousIdGenerator: AnyObject, Codable {
    /// An id that no installation has had.
    func newAnonymousId() -> String
}

/// The default generator: random UUIDs.
public final class SegmentAnonymousId: AnonymousIdGenerator {
    /// A generator.
    public init() {}

    public func newAnonymousId() -> String { UUID().uuidString }
}

extension Configuration {
    /// Makes anonymous ids. Default: random UUIDs.
    @discardableResult public func anonymousIdGenerator(_ generator: any AnonymousIdGenerator) -> Self {
        let generator = LockBox(generator)
        return anonymousIdGenerator { generator.withLock { $0.newAnonymousId() } }
    }
}
