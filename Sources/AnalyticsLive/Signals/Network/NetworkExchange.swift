import Foundation
import Tributary
import TributaryJSON

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request and its result. It takes what the session reports, and returns the data of two signals.
///
/// Header fields are never captured, apart from the media types of the bodies.
struct NetworkExchange: Sendable {
    /// An id that request and response share.
    let id: String
    private let url: String
    private let method: String
    private let reader: BodyReader
    private let requestType: String?
    private let requestBody: JSON?
    private var status: Int?
    private var contentType: String?
    private var body = BodyCollector()
    private var isOver = false

    /// - Parameter body: the body of the request, when it is known without reading the app's stream.
    init(_ request: URLRequest, body: Data?, id: String, reader: BodyReader) {
        self.id = id
        self.reader = reader
        url = request.url.map(Secrets.removed) ?? ""
        method = request.httpMethod ?? "GET"
        requestType = request.value(forHTTPHeaderField: "Content-Type")
        requestBody = (request.httpBody ?? body).flatMap {
            reader.read(
                $0, contentType: request.value(forHTTPHeaderField: "Content-Type"),
                encoding: request.value(forHTTPHeaderField: "Content-Encoding"))
        }
    }

    /// The data of the request's signal.
    var request: NetworkData {
        NetworkData(
            action: .request, url: url, data: requestBody, method: method,
            contentType: requestType.map(BodyReader.mediaType), requestId: id)
    }

    /// Takes the head of the answer.
    mutating func take(_ response: URLResponse) {
        status = (response as? HTTPURLResponse)?.statusCode
        contentType = response.mimeType ?? (response as? HTTPURLResponse)?.contentType
    }

    /// Takes the next piece of the answer's body.
    mutating func take(_ data: Data) { body.take(data) }

    /// The data of the response's signal, once; nil for a second end of the request.
    /// - Parameter error: the reason why there is no complete answer.
    mutating func end(_ error: (any Error)? = nil) -> NetworkData? {
        guard !isOver else { return nil }
        isOver = true
        let content = error.map(Self.json) ?? reader.read(body.data, contentType: contentType)
        body = BodyCollector()
        return NetworkData(
            action: .response, url: url, statusCode: status, data: content, method: method,
            contentType: contentType.map(BodyReader.mediaType), ok: error == nil ? nil : false, requestId: id)
    }

    /// An error with its domain and code, and with its text unless that contains a secret.
    private static func json(of error: any Error) -> JSON {
        let error = error as NSError
        var members: JSONObject = ["domain": .string(error.domain), "code": .number(JSONNumber(error.code))]
        let text = String(error.localizedDescription.prefix(CaptureLimits.errorLetters))
        if !Secrets.areGiven(in: text) { members["description"] = .string(text) }
        return ["error": .object(members)]
    }
}

extension HTTPURLResponse {
    /// The media type as the server wrote it.
    fileprivate var contentType: String? {
        allHeaderFields.first { "\($0.key)".lowercased() == "content-type" }.map { "\($0.value)" }
    }
}
