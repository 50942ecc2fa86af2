/// Something that the workspace was asked for and does not do, and why.
///
/// It knows nothing of HTTP: `ErrorMiddleware` gives each reason its status.
package struct Refusal: Error, Equatable {
    package enum Reason: Sendable {
        /// The request cannot be meant: it is malformed, or contradicts itself.
        case invalid
        /// The request can be read, but the script in it would not do what it says.
        case unusable
        /// There is no login, or the key is not known here.
        case unauthorized
        /// The role of the token or login does not allow it.
        case forbidden
        case notFound
        /// The request names another server.
        case misdirected
        /// It contradicts the present state, which another request can change.
        case conflict
        case tooLarge
        case wrongMediaType
        /// It came too often, or too much waits.
        case tooMany
        case unsupported
        /// It would be possible at another time.
        case unavailable
    }

    package let reason: Reason
    /// For people, in one sentence or more.
    package let message: String
    /// After how many seconds it may be tried again; nil when nothing is known about that.
    package var retryAfter: Int64?
    /// Whether the connection ends, because the rest of the request is not read.
    package var endsConnection = false
    /// The write key that no source has, when that is the reason.
    package var refusedKey: String?

    package init(_ reason: Reason, _ message: String, retryAfter: Int64? = nil) {
        (self.reason, self.message, self.retryAfter) = (reason, message, retryAfter)
    }

    package static func invalid(_ message: String) -> Refusal { Refusal(.invalid, message) }
    package static func notFound(_ message: String) -> Refusal { Refusal(.notFound, message) }
    package static func unauthorized(_ message: String) -> Refusal { Refusal(.unauthorized, message) }
    package static func unknownSource(_ writeKey: String) -> Refusal { .notFound("there is no source \(writeKey)") }

    /// The answer to a request with a token that sees no personal data.
    package static let personalData = Refusal(.forbidden, "this token or login sees no personal data")

    /// The client keeps its events and sends them later.
    package static func overloaded(_ message: String) -> Refusal { Refusal(.tooMany, message, retryAfter: 1) }
}
