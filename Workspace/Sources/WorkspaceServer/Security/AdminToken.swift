import Crypto
import Foundation

/// The secret of those who administer a workspace.
///
/// One that the workspace made has 256 random bits. There is nothing to guess, so one fast hash is enough to keep it.
struct AdminToken: Sendable, Equatable {
    /// What the operator keeps, and what requests carry.
    let text: String

    /// What is stored; the token cannot be had from it.
    var digest: Data { Self.digest(of: text) }

    /// Takes a token that an operator chose.
    init(chosen text: String) throws(WorkspaceError) {
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
    init(random bytes: [UInt8]) { text = "tributary-" + Secret.text(bytes) }

    static func digest(of text: String) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }
}
