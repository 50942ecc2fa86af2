import HTTPTypes

/// A refusal that becomes an HTTP answer with a JSON body.
struct APIError: Error {
    let status: HTTPResponse.Status
    let message: String
    var headers: HTTPFields = [:]
    /// The write key that no source has, when that is the reason.
    var refusedKey: String?

    init(_ status: HTTPResponse.Status, _ message: String) {
        self.status = status
        self.message = message
    }

    static func badRequest(_ message: String) -> APIError { APIError(.badRequest, message) }
    static func notFound(_ message: String) -> APIError { APIError(.notFound, message) }
    static func unauthorized(_ message: String) -> APIError {
        var error = APIError(.unauthorized, message)
        error.headers[.wwwAuthenticate] = "Bearer"
        return error
    }
    static func unknownSource(_ writeKey: String) -> APIError { APIError(.notFound, "there is no source \(writeKey)") }

    /// The client keeps its events and sends them later.
    static func overloaded(_ message: String) -> APIError {
        var error = APIError(.tooManyRequests, message)
        error.headers[.retryAfter] = "1"
        return error
    }
}
