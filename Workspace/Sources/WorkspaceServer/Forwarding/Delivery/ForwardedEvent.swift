package import Foundation
import WorkspaceCore

/// An event that is sent to a destination.
package struct ForwardedEvent: Sendable, Equatable {
    /// Its number in the store.
    let sequence: Int64
    let messageId: String
    /// The partition of the event: events of one partition are sent in order, one at a time.
    let partition: Partition
    let body: [UInt8]
    /// When the server received it, in milliseconds since 1970.
    var receivedAt: Int64 = 0

    /// A digest of a user's id. When the user is erased, it contains nothing about the user.
    package struct Partition: Sendable, Hashable {
        package let digest: Data

        package init(digest: Data) { self.digest = digest }
    }
}
