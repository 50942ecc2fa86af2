public import Foundation

/// An app's own encryption, as in analytics-ios. Called on any thread.
public protocol SEGCrypto: AnyObject, Sendable {
    /// The encrypted bytes; nil when that fails.
    func encrypt(_ data: Data) -> Data?
    /// The decrypted bytes; nil when that fails.
    func decrypt(_ data: Data) -> Data?
}
