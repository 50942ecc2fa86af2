package import Foundation
import WorkspaceCore

/// An event that is sent to a destination.
package struct ForwardedEvent: Sendable, Equatable {
    /// Its number in the store.
    package let sequence: Int64
    package let messageId: String
    /// The partition of the event: events of one partition are sent in order, one at a time.
    package let partition: Partition
    package let body: [UInt8]
    /// When the server received it, in milliseconds since 1970.
    package var receivedAt: Int64 = 0

    /// A digest of a user's id. When the user is erased, it contains nothing about the user.
    package struct Partition: Sendable, Hashable {
        package let digest: Data

        package init(digest: Data) { self.digest = digest }
    }
}
