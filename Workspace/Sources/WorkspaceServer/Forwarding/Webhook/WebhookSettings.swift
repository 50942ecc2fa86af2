import TributaryJSON
import WorkspaceCore

/// The settings of a webhook.
struct WebhookSettings: Sendable, Equatable {
    let address: ServiceAddress
    let timeoutSeconds: Int64
    let parallelRequests: Int
    /// The most events of one request. One makes each event a request of its own.
    let batchEvents: Int
    /// Own headers of each request, by their names.
    let headers: [(name: String, value: String)]
    /// Whether it takes requests to delete what it has of a user.
    let deletions: Bool

    private static let members = ["url", "timeoutSeconds", "parallelRequests", "batchEvents", "headers", "deletions"]

    static func == (left: WebhookSettings, right: WebhookSettings) -> Bool { left.json == right.json }

    /// - Throws: `Refusal` with the first problem.
    init(_ settings: JSONObject) throws(Refusal) {
        if let stranger = settings.first(where: { !Self.members.contains($0.key) }) {
            throw .invalid(
                "a webhook has no setting \(stranger.key); its settings are \(Self.members.joined(separator: ", "))")
        }
        guard let url = settings["url"]?.stringValue else {
            throw .invalid("a webhook needs a url, as a text")
        }
        address = try Self.checked(url)
        timeoutSeconds = try Self.number("timeoutSeconds", settings, in: 1...60) ?? 15
        parallelRequests = Int(try Self.number("parallelRequests", settings, in: 1...64) ?? 8)
        batchEvents = Int(try Self.number("batchEvents", settings, in: 1...Limits.webhookBatch) ?? 1)
        headers = try Self.headers(settings["headers"])
        deletions = try settings.member("deletions", "deletions is true or false", \.boolValue) ?? false
    }

    /// A setting that was never set is left out, because older settings do not have it.
    var json: JSONObject {
        var json: JSONObject = [
            "url": .string(address.description), "timeoutSeconds": .number(timeoutSeconds),
            "parallelRequests": .number(parallelRequests),
        ]
        if batchEvents > 1 { json["batchEvents"] = .number(batchEvents) }
        if !headers.isEmpty {
            let named = headers.map { ($0.name, JSON.string($0.value)) }
            json["headers"] = .object(JSONObject(Dictionary(named, uniquingKeysWith: { first, _ in first })))
        }
        if deletions { json["deletions"] = true }
        return json
    }

    /// Headers that belong to the connection or to the signature.
    private static let ownHeaders: Set<String> = [
        "connection", "content-encoding", "content-length", "content-type", "expect", "host", "keep-alive",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "webhook-id", "webhook-signature",
        "webhook-timestamp",
    ]

    private static func headers(_ json: JSON?) throws(Refusal) -> [(name: String, value: String)] {
        guard let json, !json.isNull else { return [] }
        guard let object = json.objectValue, object.count <= Limits.webhookHeaders else {
            throw .invalid("headers is an object of at most \(Limits.webhookHeaders) texts by the names of headers")
        }
        var headers: [(name: String, value: String)] = []
        for (name, value) in object {
            let isToken = name.utf8.allSatisfy { 0x21...0x7e ~= $0 && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
            guard isToken, (1...Limits.webhookHeaderName).contains(name.count) else {
                throw .invalid("\"\(name)\" cannot be the name of a header")
            }
            guard !ownHeaders.contains(name.lowercased()) else {
                throw .invalid("the header \(name) cannot be chosen: the server sets it by itself")
            }
            guard !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
                throw .invalid("the header \(name) is named twice")
            }
            guard let text = value.stringValue, text.utf8.count <= Limits.webhookHeaderValue,
                text.utf8.allSatisfy({ 0x20...0x7e ~= $0 })
            else {
                throw .invalid(
                    "the header \(name) is a text of at most \(Limits.webhookHeaderValue) visible ASCII characters")
            }
            headers.append((name, text))
        }
        return headers
    }

    private static func checked(_ text: String) throws(Refusal) -> ServiceAddress {
        guard text.utf8.count <= Limits.urlBytes else {
            throw .invalid("a url has at most \(Limits.urlBytes) bytes")
        }
        do throws(ServiceAddress.Problem) {
            return try ServiceAddress(text)
        } catch {
            throw .invalid(error.description)
        }
    }

    private static func number(
        _ name: String, _ settings: JSONObject, in range: ClosedRange<Int64>
    ) throws(Refusal) -> Int64? {
        try settings.member(name, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)") {
            $0.numberValue?.int64.flatMap { range.contains($0) ? $0 : nil }
        }
    }
}
