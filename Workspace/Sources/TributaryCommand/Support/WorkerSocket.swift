import CWorkerProcess
import Foundation
import WorkspaceServer

/// Standard input and output of a process that the server asks. Both are one socket.
enum WorkerSocket {
    /// The content of the next message; nil when the server has closed the socket.
    static func next() throws(Failure) -> [UInt8]? {
        guard let head = try read(WorkerMessages.headBytes) else { return nil }
        guard let count = WorkerMessages.length(head) else {
            throw Failure("standard input has no question of the server")
        }
        return try read(count)
    }

    /// Sends a whole message.
    static func write(_ message: [UInt8]) throws(Failure) {
        guard tributary_worker_write(message, message.count) == 0 else { throw Failure("the server does not listen") }
    }

    private static func read(_ count: Int) throws(Failure) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        switch tributary_worker_read(&bytes, count) {
        case 0: return bytes
        case EPIPE: return nil
        default: throw Failure("the server cannot be read")
        }
    }
}
