import Foundation
import Tributary

/// Remembers which message id the client made on a thread, because a call does not return the id of its event.
///
/// An id is kept in the dictionary of its thread. So ids that the client makes on its own threads are never taken for
/// those of our calls.
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

    /// The id that was made during `call`; nil when none was.
    func made(during call: () -> Void) -> String? {
        Thread.current.threadDictionary.removeObject(forKey: Self.key)
        call()
        return Thread.current.threadDictionary[Self.key] as? String
    }
}
