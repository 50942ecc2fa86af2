import Foundation

/// Makes the ids of installations, for `Configuration.anonymousIdGenerator(_:)`.
///
/// It is asked at the first start and at each reset, one call at a time, on any thread.
public protocol AnonymousIdGenerator: AnyObject, Codable {
    /// An id that no installation had before.
    func newAnonymousId() -> String
}

/// The generator of a client that was given none: random UUIDs.
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
