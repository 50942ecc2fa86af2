import Crypto
package import Foundation
package import WorkspaceCore

/// The secret for administering a workspace.
///
/// A token that the workspace made has 256 random bits. It cannot be guessed, so one fast hash is enough to store it.
package struct AdminToken: Sendable, Equatable {
    /// The text that the operator keeps and that requests contain.
    package let text: String

    /// The stored digest; it does not reveal the token.
    package var digest: Data { Self.digest(of: text) }

    /// Checks a token that an operator chose.
    package init(chosen text: String) throws(WorkspaceError) {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isPlain, (Limits.shortestToken...Limits.longestToken).contains(text.utf8.count) else {
            throw WorkspaceError(
                .adminToken,
                "an admin token has \(Limits.shortestToken) to \(Limits.longestToken) characters: letters, digits and "
                    + "signs, without spaces")
        }
        self.text = text
    }

    /// Makes a token of random bytes.
    package init(random bytes: [UInt8]) { text = "tributary-" + Secret.text(bytes) }

    package static func digest(of text: String) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }
}
