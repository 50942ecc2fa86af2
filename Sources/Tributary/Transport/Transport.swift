public import Foundation

/// Carries one request to a server and its answer back.
public protocol Transport: Sendable {
    /// Sends a request; the completion is called exactly once, on any thread, at the latest after its deadline.
    ///
    /// Redirects are not followed: a 3xx is an answer like any other.
    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void)
}

/// A request to a server.
public struct TransportRequest: Sendable {
    /// `GET` or `POST`.
    public var method: String
    /// The whole address.
    public var url: URL
    /// Header fields; a name stands once.
    public var headers: [String: String]
    /// The body of a POST.
    public var body: [UInt8]?
    /// Seconds until the request counts as unanswered.
    public var deadline: TimeInterval
    /// How much of an answer's body is wanted, however much the server sends.
    public var answerLimit: AnswerLimit

    /// The handling of an endless answer.
    public enum AnswerLimit: Sendable, Equatable {
        /// The whole body is wanted; one of more bytes is a failure.
        case whole(Int)
        /// That many bytes are enough; the rest is not read.
        case beginning(Int)

        /// The number of bytes.
        public var bytes: Int {
            switch self {
            case .whole(let bytes), .beginning(let bytes): max(0, bytes)
            }
        }
    }

    /// A request with a deadline of 15 seconds and an answer of at most 8 MiB unless you say otherwise.
    public init(
        method: String, url: URL, headers: [String: String] = [:], body: [UInt8]? = nil, deadline: TimeInterval = 15,
        answerLimit: AnswerLimit = .whole(8 << 20)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.deadline = deadline
        self.answerLimit = answerLimit
    }
}

/// A server's answer.
public struct TransportResponse: Sendable {
    /// The status code.
    public var status: Int
    /// Header fields, names in lower case.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]

    /// An answer; names of header fields are put into lower case.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        self.body = body
    }
}

/// Why there is no answer.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The reason, for a person to read.
    public let description: String
    /// Whether the deadline passed.
    public let isTimeout: Bool

    /// An error with its reason.
    public init(_ description: String, isTimeout: Bool = false) {
        self.description = description
        self.isTimeout = isTimeout
    }
}
