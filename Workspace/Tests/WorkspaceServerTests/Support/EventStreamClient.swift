import Foundation
import TributaryJSON

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Listens to Server-Sent Events, as a browser does.
final class EventStreamClient: NSObject, URLSessionDataDelegate, Sendable {
    struct Message: Sendable, Equatable {
        var id: String?
        var event = "message"
        var data = ""

        var json: JSON { get throws { try JSON.parse(data) } }
    }

    private let chunks: AsyncStream<Data>.Continuation

    private init(_ chunks: AsyncStream<Data>.Continuation) { self.chunks = chunks }

    /// Connects and gives what arrives; comments have the event name ":".
    static func connect(
        _ url: String, lastEventId: String? = nil, token: String = TestClient.token
    ) throws -> AsyncStream<Message> {
        guard let url = URL(string: url) else { throw TestClient.NoAnswer() }
        var request = URLRequest(url: url)
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        if let lastEventId { request.setValue(lastEventId, forHTTPHeaderField: "Last-Event-ID") }
        let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
        let session = URLSession(
            configuration: .ephemeral, delegate: EventStreamClient(continuation), delegateQueue: nil)
        let task = session.dataTask(with: request)
        task.resume()
        continuation.onTermination = { _ in
            task.cancel()
            session.finishTasksAndInvalidate()
        }
        return AsyncStream { messages in
            let reader = Task {
                var parser = Parser()
                for await chunk in chunks { parser.messages(chunk).forEach { messages.yield($0) } }
                messages.finish()
            }
            messages.onTermination = { _ in reader.cancel() }
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        chunks.yield(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        chunks.finish()
    }

    private struct Parser {
        private var line: [UInt8] = []
        private var message = Message()

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
            if line.hasPrefix("id: ") { message.id = String(line.dropFirst(4)) }
            if line.hasPrefix("event: ") { message.event = String(line.dropFirst(7)) }
            if line.hasPrefix("data: ") { message.data += line.dropFirst(6) }
            if line.hasPrefix(":") { message.event = ":" }
        }
    }
}

extension AsyncStream where Element == EventStreamClient.Message {
    /// The next messages of that name, until there are as many as asked for or the stream ends.
    func first(_ count: Int, named name: String) async -> [Element] {
        var found: [Element] = []
        for await message in self where message.event == name {
            found.append(message)
            if found.count == count { break }
        }
        return found
    }
}
