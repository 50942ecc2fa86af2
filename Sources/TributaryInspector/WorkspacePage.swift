import Foundation

/// The page of a workspace that shows the events of one device.
enum WorkspacePage {
    /// The host of the service that the protocol comes from, which has no such page.
    private static let fieldsHost = "segment.io"

    /// - Parameter uploads: the address that the client sends batches to, such as `http://192.168.0.2:8484/v1/b`.
    /// - Returns: nil when no workspace is at the address.
    static func address(uploads: URL?, writeKey: String, anonymousId: String) -> URL? {
        guard let uploads, let host = uploads.host, host != fieldsHost, !host.hasSuffix("." + fieldsHost),
            var parts = URLComponents(url: uploads, resolvingAgainstBaseURL: false)
        else { return nil }
        var path = parts.path
        for end in ["/b", "/v1"] where path.hasSuffix(end) { path.removeLast(end.count) }
        parts.path = path + "/people"
        // A name and a password of the address are for the app alone.
        (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
        parts.queryItems = [
            URLQueryItem(name: "source", value: writeKey), URLQueryItem(name: "anonymous", value: anonymousId),
        ]
        // `URLComponents` leaves a plus as it is, which a page reads as a space.
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        return parts.url
    }
}
