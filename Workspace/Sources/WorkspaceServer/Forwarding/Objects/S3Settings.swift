import TributaryJSON
import WorkspaceCore

/// The settings of a destination that writes objects into a store with the interface of S3.
struct S3Settings: Sendable, Equatable {
    /// The address of the store, without a path: `https://s3.eu-central-1.amazonaws.com`.
    let endpoint: ServiceAddress
    let bucket: String
    /// The prefix of the names of all objects; empty, or without a slash at the end.
    let prefix: String
    let region: String
    let accessKey: String
    /// Whether the bucket stands in the path of an address, and not in front of the host.
    let pathStyle: Bool
    let format: ObjectFormat

    private static let members = [
        "endpoint", "bucket", "prefix", "region", "accessKey", "pathStyle", "format", "columns",
    ]

    /// - Throws: `Refusal` with the first problem.
    init(_ settings: JSONObject) throws(Refusal) {
        if let stranger = settings.first(where: { !Self.members.contains($0.key) }) {
            throw .invalid(
                "an s3 destination has no setting \(stranger.key); its settings are "
                    + Self.members.joined(separator: ", "))
        }
        endpoint = try ServiceAddress.origin("endpoint", try Self.text("endpoint", settings))
        bucket = try Self.bucket(try Self.text("bucket", settings))
        accessKey = try Self.accessKey(try Self.text("accessKey", settings))
        region = try Self.region(try Self.text("region", settings, otherwise: "us-east-1"))
        prefix = try Self.prefix(try Self.text("prefix", settings, otherwise: ""))
        pathStyle = try settings.member("pathStyle", "pathStyle is true or false", \.boolValue) ?? true
        format = try ObjectFormat(settings: settings)
    }

    /// All settings, with the defaults filled in.
    var json: JSONObject {
        var json: JSONObject = [
            "endpoint": .string(endpoint.description), "bucket": .string(bucket), "prefix": .string(prefix),
            "region": .string(region), "accessKey": .string(accessKey), "pathStyle": .bool(pathStyle),
            "format": .string(format.name),
        ]
        if case .parquet(let columns?) = format { json["columns"] = .string(columns) }
        return json
    }

    /// A secret access key as the bytes that sign.
    /// - Throws: `Refusal` for a text that can be no such key.
    static func secret(_ text: String) throws(Refusal) -> [UInt8] {
        guard (1...Limits.s3Key).contains(text.utf8.count), text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            throw .invalid("secret has 1 to \(Limits.s3Key) visible ASCII characters and no space")
        }
        return Array(text.utf8)
    }

    // MARK: Checks

    private static func text(
        _ name: String, _ settings: JSONObject, otherwise: String? = nil
    ) throws(Refusal) -> String {
        guard let value = settings[name] ?? otherwise.map(JSON.string) else {
            throw .invalid("an s3 destination needs \(name), as a text")
        }
        guard let text = value.stringValue else { throw .invalid("\(name) is a text") }
        return text
    }

    private static func bucket(_ text: String) throws(Refusal) -> String {
        let isPlain = text.utf8.allSatisfy { $0.isAlphanumeric || ".-_".utf8.contains($0) }
        guard (3...63).contains(text.utf8.count), isPlain, text.utf8.first.map(\.isAlphanumeric) == true else {
            throw .invalid(
                "a bucket has 3 to 63 letters, digits, points, hyphens and underscores, and begins with a letter or "
                    + "a digit")
        }
        return text
    }

    private static func region(_ text: String) throws(Refusal) -> String {
        let isPlain = text.utf8.allSatisfy { $0.isAlphanumeric || "-_".utf8.contains($0) }
        guard (1...Limits.s3Region).contains(text.utf8.count), isPlain else {
            throw .invalid("a region has 1 to \(Limits.s3Region) letters, digits, hyphens and underscores")
        }
        return text
    }

    private static func prefix(_ text: String) throws(Refusal) -> String {
        guard text.utf8.count <= Limits.s3Prefix, PlainName.isPlain(text) else {
            throw .invalid("a prefix has at most \(Limits.s3Prefix) bytes, \(PlainName.rule)")
        }
        guard !text.isEmpty else { return "" }
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        let parts = trimmed.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ part in !part.allSatisfy { $0 == "." } }) else {
            throw .invalid("the parts of a prefix between slashes are not empty and not made of points alone")
        }
        return trimmed
    }

    /// The key is a part of the header that slashes and commas divide.
    private static func accessKey(_ text: String) throws(Refusal) -> String {
        let isPlain = text.utf8.allSatisfy { 0x21...0x7e ~= $0 && !"/,=".utf8.contains($0) }
        guard (1...Limits.s3Key).contains(text.utf8.count), isPlain else {
            throw .invalid(
                "accessKey has 1 to \(Limits.s3Key) visible ASCII characters, and no space, slash, comma or equals "
                    + "sign; the secret access key goes into secret")
        }
        return text
    }
}
