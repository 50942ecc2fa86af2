import Foundation
import TributaryJSON

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

    /// The connection ended; the caller connects again.
    struct Interruption: Error, CustomStringConvertible {
        let description: String
    }

    private var line: [UInt8] = []
    private var message = Message()

    /// The messages that these bytes complete. A message `alive` and a comment, which has no name, show that the connection is
    /// alive.
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
