import Foundation
import TributaryJSON

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Server-Sent Events of a workspace.
struct EventStream {
    /// One message.
    struct Message: Sendable {
        var id: Int64?
        var event = ""
        var data = ""
    }

    /// The server does not want to be asked again.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// The connection ended, which is no reason to give up.
    struct Interruption: Error, CustomStringConvertible {
        let description: String
    }

    private var line: [UInt8] = []
    private var message = Message()

    /// What became whole with these bytes. Comments are messages without a name: they show that the connection lives.
    mutating func messages(_ chunk: Data) -> [Message] {
        var finished: [Message] = []
        for byte in chunk {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if line.isEmpty {
                finished.append(message)
                message = Message()
            } else {
                take(String(decoding: line, as: UTF8.self))
                line = []
            }
        }
        return finished
    }

    private mutating func take(_ line: String) {
        if line.hasPrefix("id: ") { message.id = Int64(line.dropFirst(4)) }
        if line.hasPrefix("event: ") { message.event = String(line.dropFirst(7)) }
        if line.hasPrefix("data: ") { message.data += line.dropFirst(6) }
    }
}

/// Takes an answer piece by piece.
///
/// What it is given is told on the session's queue, one after the other, so whoever takes the pieces holds the server up
/// as long as it needs.
final class AnswerReader: NSObject, URLSessionDataDelegate, Sendable {
    typealias Head = @Sendable (HTTPURLResponse) -> Void
    typealias Piece = @Sendable (Data) -> Void
    typealias End = @Sendable ((any Error)?) -> Void

    private let head: Head
    private let piece: Piece
    private let end: End

    init(head: @escaping Head, piece: @escaping Piece, end: @escaping End) {
        self.head = head
        self.piece = piece
        self.end = end
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { head(response) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { piece(data) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end(error)
        session.finishTasksAndInvalidate()
    }
}
