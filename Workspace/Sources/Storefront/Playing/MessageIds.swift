import Foundation
import Tributary

/// Remembers which message id the client asked for on a thread: a call does not say what id its event got.
///
/// Nothing is shared: an id is kept in the dictionary of the thread on which it was made, so ids that the client makes
/// on threads of its own are never mistaken for those of our calls.
struct MessageIds: Sendable {
    private static let key = "storefront.message-id"

    /// For the client's configuration.
    var identifiers: Identifiers {
        Identifiers(next: {
            let id = UUID().uuidString.lowercased()
            Thread.current.threadDictionary[Self.key] = id
            return id
        })
    }

    /// The id that was made during `call`, if one was.
    func made(during call: () -> Void) -> String? {
        Thread.current.threadDictionary.removeObject(forKey: Self.key)
        call()
        return Thread.current.threadDictionary[Self.key] as? String
    }
}
