import Foundation
import HTTPTypes
import Hummingbird

extension WriteKey {
    /// The write key of an ingest request. Clients send it in the body; Basic authentication, a header and the query
    /// are read after that.
    static func of(_ request: Request, body: String?) -> String? {
        let candidates = [
            body, basicUser(request.headers[.authorization]), request.headers[named: "X-Write-Key"],
            QueryReader(request).text("writeKey"),
        ]
        return candidates.lazy.compactMap { $0 }.first { !$0.isEmpty }
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
