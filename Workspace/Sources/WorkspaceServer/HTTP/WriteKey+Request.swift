import Foundation
import HTTPTypes
package import Hummingbird
import WorkspaceCore

extension WriteKey {
    /// The write keys that a request of a client names: in Basic authentication, in a header, in the query, in the body.
    ///
    /// The body is last, because some clients make the key in it unreadable.
    package static func all(of request: Request, body: String?) -> [String] {
        let candidates = [
            basicUser(request.headers[.authorization]), request.headers[named: "X-Write-Key"],
            QueryReader(request).text("writeKey"), body,
        ]
        return candidates.compactMap { $0 }.filter { !$0.isEmpty }
    }

    /// The user name of `Basic` credentials. The colon and the password may be missing.
    private static func basicUser(_ authorization: String?) -> String? {
        guard let authorization else { return nil }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1]))
        else { return nil }
        return String(decoding: data.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    }
}
