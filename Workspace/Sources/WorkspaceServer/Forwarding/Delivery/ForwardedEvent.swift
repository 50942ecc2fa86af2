import Foundation

/// An event on its way to a destination.
struct ForwardedEvent: Sendable, Equatable {
    /// Its number in the store.
    let sequence: Int64
    let messageId: String
    /// Whose event it is: those of one partition are sent in order, one at a time.
    let partition: Partition
    let body: [UInt8]

    /// A digest of a user's id, so that nothing about the user stays behind when the event is erased.
    struct Partition: Sendable, Hashable {
        let digest: Data
    }
}
