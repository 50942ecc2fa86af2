import AsyncHTTPClient
import NIOCore
import NIOHTTP1
package import TributaryJSON
package import WorkspaceCore

/// A request that a function made of an event, with placeholders for secrets.
///
/// It comes from a process in which foreign code runs, so everything about it is checked.
package struct FunctionRequest: Sendable, Equatable {
    private enum Content: String, Sendable {
        case none, text, json, form

        var encoding: FunctionPlaceholders.Encoding {
            switch self {
            case .none, .text: .plain
            case .json: .json
            case .form: .percent
            }
        }
    }

    private struct Header: Sendable, Equatable {
        let name: String
        let value: String
    }

    private static let methods: Set<String> = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    /// Headers that belong to the connection.
    private static let ownHeaders: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    private let method: String
    private let url: String
    private let headers: [Header]
    private let content: Content
    private let body: String

    /// - Throws: `Refusal` that says what is wrong.
    package init(_ json: JSON) throws(Refusal) {
        guard let method = json["method"]?.stringValue, Self.methods.contains(method),
            let url = json["url"]?.stringValue, let body = json["body"]?.stringValue,
            let content = json["kind"]?.stringValue.flatMap(Content.init), let headers = json["headers"]?.elements
        else { throw .invalid("its request is none that request() made") }
        guard url.utf8.count <= Limits.urlBytes else {
            throw .invalid("an address has at most \(Limits.urlBytes) bytes")
        }
        guard body.utf8.count <= Limits.functionBody else {
            throw .invalid("the body of a request has at most \(Limits.functionBody) bytes")
        }
        guard headers.count <= Limits.functionHeaders else {
            throw .invalid("a request has at most \(Limits.functionHeaders) headers")
        }
        guard method != "GET" || content == .none else { throw .invalid("a GET has no body") }
        (self.method, self.url, self.body, self.content) = (method, url, body, content)
        self.headers = try headers.map { json throws(Refusal) in try Self.header(json) }
    }

    private static func header(_ json: JSON) throws(Refusal) -> Header {
        guard let name = json[0]?.stringValue, let value = json[1]?.stringValue, (1...100).contains(name.utf8.count),
            name.utf8.allSatisfy({ 0x21...0x7e ~= $0 && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) })
        else { throw .invalid("a header has no name that headers have") }
        guard !ownHeaders.contains(name.lowercased()) else {
            throw .invalid("the header \(name) cannot be chosen: the server sets it by itself")
        }
        try check(value, of: name)
        return Header(name: name, value: value)
    }

    private static func check(_ value: String, of name: String) throws(Refusal) {
        guard value.utf8.count <= Limits.functionHeader, value.utf8.allSatisfy({ 0x20...0x7e ~= $0 }) else {
            throw .invalid(
                "the header \(name), with its secrets, has at most \(Limits.functionHeader) visible ASCII characters")
        }
    }

    /// - Throws: `Refusal` when the function does not name the host.
    package func check(_ hosts: FunctionHosts, _ placeholders: FunctionPlaceholders) throws(Refusal) {
        let address = try address(url, placeholders)
        guard hosts.allow(address) else {
            throw .invalid(
                "\(placeholders.shown(address.origin)) is not in static hosts, which has \(hosts.description)")
        }
    }

    /// The request for people, with `{{secret:name}}` in the places of secrets.
    package func shown(_ placeholders: FunctionPlaceholders) -> JSON {
        var headers = JSONObject()
        for header in self.headers { headers[header.name] = .string(placeholders.shown(header.value)) }
        var shown: JSONObject = [
            "method": .string(method), "url": .string(placeholders.shown(url)), "headers": .object(headers),
        ]
        let text = placeholders.shown(body)
        switch content {
        case .none: break
        case .text, .form: shown["body"] = .string(text)
        case .json: shown["body"] = (try? JSON.parse(text)) ?? .string(text)
        }
        return .object(shown)
    }

    /// The request with the secrets in it.
    /// - Throws: `Refusal` when a secret is missing, or does not fit its place. The value is not in it.
    func filled(
        _ placeholders: FunctionPlaceholders, _ secrets: FunctionSecrets, to hosts: FunctionHosts
    ) throws(Refusal) -> HTTPClientRequest {
        func fill(_ text: String, _ encoding: FunctionPlaceholders.Encoding) throws(Refusal) -> String {
            if let filled = placeholders.filled(text, encoding, secrets) { return filled }
            let missing = placeholders.names(in: text).first { secrets.values[$0] == nil } ?? ""
            throw .invalid("the secret \(missing) has no value")
        }
        let address = try address(try fill(url, .percent), placeholders)
        guard hosts.allow(address) else { throw .invalid("a secret changes the host of the address") }
        var request = address.request(HTTPMethod(rawValue: method))
        request.headers = ["User-Agent": "Tributary"]
        for header in headers {
            let value = try fill(header.value, .plain)
            try Self.check(value, of: header.name)
            request.headers.replaceOrAdd(name: header.name, value: value)
        }
        if content != .none { request.body = .bytes(ByteBuffer(string: try fill(body, content.encoding))) }
        return request
    }

    /// A text of the receiver, in which the secrets of this request are hidden, however it wrote them.
    func hidden(_ text: String, _ placeholders: FunctionPlaceholders, _ secrets: FunctionSecrets) -> String {
        var text = text
        for header in headers where header.value.contains(placeholders.nonce) {
            let value = placeholders.filled(header.value, .plain, secrets) ?? ""
            let words = value.split(separator: " ").map(String.init).sorted { $0.count > $1.count }
            for word in words where word != "Basic" && word != "Bearer" {
                text = text.replacing(word, with: "{{secret}}")
            }
        }
        return secrets.hidden(in: text)
    }

    private func address(_ text: String, _ placeholders: FunctionPlaceholders) throws(Refusal) -> ServiceAddress {
        do throws(ServiceAddress.Problem) {
            return try ServiceAddress(text)
        } catch {
            // The address may have a secret in it.
            let shown = placeholders.shown(url)
            let isShown = text == url
            throw .invalid(isShown ? placeholders.shown(error.description) : "\(shown) is no address with its secrets")
        }
    }
}
