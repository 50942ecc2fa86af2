public import Foundation

/// Sends a request to a server and returns its answer.
public protocol Transport: Sendable {
    /// Sends a request. The completion is called exactly once, on any thread, at the latest after the deadline.
    ///
    /// A transport does not follow redirects: a 3xx is an answer like any other.
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
    /// Header fields, each name once.
    public var headers: [String: String]
    /// The body of a POST.
    public var body: [UInt8]?
    /// Seconds until the request counts as unanswered.
    public var deadline: TimeInterval
    /// How much of the answer's body is read, however much the server sends.
    public var answerLimit: AnswerLimit

    /// The limit for the body of an answer.
    public enum AnswerLimit: Sendable, Equatable {
        /// The whole body is needed. A longer body is a failure.
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

    /// A request. The default deadline is 15 seconds, the default limit of the answer 8 MiB.
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

    /// An answer. Names of header fields are turned into lower case.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        self.body = body
    }
}

/// The reason why there is no answer.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The reason, as a text for people.
    public let description: String
    /// Whether the deadline passed.
    public let isTimeout: Bool

    /// An error with its reason.
    public init(_ description: String, isTimeout: Bool = false) {
        self.description = description
        self.isTimeout = isTimeout
    }
}
