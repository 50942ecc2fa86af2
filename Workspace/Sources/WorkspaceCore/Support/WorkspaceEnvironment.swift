import Foundation

/// The clock and the randomness of a workspace, so that tests can give their own.
public struct WorkspaceEnvironment: Sendable {
    /// Milliseconds since 1970.
    public var now: @Sendable () -> Int64
    /// A new write key: 32 letters and digits.
    public var makeWriteKey: @Sendable () -> String
    /// 32 random bytes, for tokens and logins.
    public var makeSecret: @Sendable () -> [UInt8]
    /// A random number for a new source: no two sources of any workspace should get the same.
    public var makeSourceId: @Sendable () -> Int64

    /// An environment of your own.
    public init(
        now: @escaping @Sendable () -> Int64,
        makeWriteKey: @escaping @Sendable () -> String,
        makeSecret: @escaping @Sendable () -> [UInt8] = Self.randomBytes,
        makeSourceId: @escaping @Sendable () -> Int64 = Self.randomSourceId
    ) {
        (self.now, self.makeWriteKey) = (now, makeWriteKey)
        (self.makeSecret, self.makeSourceId) = (makeSecret, makeSourceId)
    }

    /// 62 random bits. Rows and requests name their source by this number: when the database was lost and made again,
    /// the workspace must not use a number that rows of another source have.
    public static let randomSourceId: @Sendable () -> Int64 = { Int64.random(in: (1 << 62)...Int64.max) }

    /// 32 bytes of the system's generator, which is fit for secrets.
    public static let randomBytes: @Sendable () -> [UInt8] = {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// The system's clock and random numbers.
    public static let system = WorkspaceEnvironment(
        now: { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) },
        makeWriteKey: {
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
            return String((0..<32).map { _ in alphabet[Int.random(in: alphabet.indices)] })
        }
    )
}
