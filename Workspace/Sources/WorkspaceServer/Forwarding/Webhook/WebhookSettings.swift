import Foundation
import TributaryJSON

/// The settings of a webhook.
struct WebhookSettings: Sendable, Equatable {
    let url: String
    let timeoutSeconds: Int64
    let parallelRequests: Int

    private static let members = ["url", "timeoutSeconds", "parallelRequests"]

    /// - Throws: `APIError` that names what is wrong.
    init(_ settings: JSONObject) throws(APIError) {
        if let stranger = settings.first(where: { !Self.members.contains($0.key) }) {
            throw .badRequest(
                "a webhook has no setting \(stranger.key); its settings are \(Self.members.joined(separator: ", "))")
        }
        guard let url = settings["url"]?.stringValue else {
            throw .badRequest("a webhook needs a url, as a text")
        }
        self.url = try Self.checked(url)
        timeoutSeconds = try Self.number("timeoutSeconds", settings, in: 1...60) ?? 15
        parallelRequests = Int(try Self.number("parallelRequests", settings, in: 1...64) ?? 8)
    }

    var json: JSONObject {
        [
            "url": .string(url), "timeoutSeconds": .number(JSONNumber(timeoutSeconds)),
            "parallelRequests": .number(JSONNumber(parallelRequests)),
        ]
    }

    private static func checked(_ text: String) throws(APIError) -> String {
        guard text.utf8.count <= Limits.urlBytes else {
            throw .badRequest("a url has at most \(Limits.urlBytes) bytes")
        }
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = url.host, !host.isEmpty
        else { throw .badRequest("\"\(text)\" is no address that begins with https:// or http:// and names a host") }
        guard url.user == nil, url.password == nil else {
            throw .badRequest("the url has a user or a password in it; receivers recognise webhooks by their signature")
        }
        guard url.fragment == nil else { throw .badRequest("the url has a fragment, which is never sent") }
        return text
    }

    private static func number(
        _ name: String, _ settings: JSONObject, in range: ClosedRange<Int64>
    ) throws(APIError) -> Int64? {
        guard let value = settings[name] else { return nil }
        guard let number = value.numberValue?.int64, range.contains(number) else {
            throw .badRequest("\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
