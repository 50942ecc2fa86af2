import Foundation
import TributaryJSON

/// The conversation with one assistant: takes its lines, and writes the answers.
///
/// A call of a tool runs beside the next lines, so that a client can cancel it. All other requests are answered at
/// once, in their order.
actor AssistantSession {
    private struct Call {
        let number: Int
        let task: Task<Void, Never>
    }

    private let server: AssistantServer
    private let output: FileHandle
    private var calls: [JSON: Call] = [:]
    private var count = 0
    private var isInitialized = false
    /// Whether the assistant still reads.
    private(set) var isOpen = true

    init(_ server: AssistantServer, output: FileHandle) {
        self.server = server
        self.output = output
    }

    /// Returns when the line is answered, or when its call has begun.
    func take(_ line: LineReader.Line) async {
        do throws(RPCFault) {
            switch try Self.message(line) {
            case .request(let request): try await take(request)
            case .notification("notifications/cancelled", let parameters): cancel(parameters["requestId"] ?? .null)
            case .notification, .answer, nil: break
            }
        } catch {
            write(error.message)
        }
    }

    /// Returns when all calls have ended. Long calls are cancelled.
    func finish() async {
        let deadline = Task {
            do { try await Task.sleep(for: AssistantLimits.patience) } catch { return }
            cancelAll()
        }
        while let call = calls.values.first { await call.task.value }
        deadline.cancel()
    }

    /// - Returns: nil for an empty line.
    private static func message(_ line: LineReader.Line) throws(RPCFault) -> RPCMessage? {
        guard case .text(let text) = line else {
            throw RPCFault(.request, "the line is longer than \(AssistantLimits.lineBytes.grouped) bytes")
        }
        let isEmpty = text.allSatisfy { [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains($0) }
        return isEmpty ? nil : try RPCMessage(text)
    }

    private func take(_ request: RPCRequest) async throws(RPCFault) {
        guard calls[request.id] == nil else {
            throw RPCFault(.request, "a call with this id has not ended yet", request.id)
        }
        switch try server.step(request, isInitialized: isInitialized) {
        case .result(let result):
            if request.method == "initialize" { isInitialized = true }
            write(result, to: request.id)
        case .call(let tool, let arguments, let style):
            while calls.count >= AssistantLimits.calls, let call = calls.values.first { await call.task.value }
            begin(request.id) { [server] in await server.call(tool, arguments, style) }
        }
    }

    private func begin(_ id: JSON, _ work: @escaping @Sendable () async -> JSON) {
        count += 1
        let number = count
        calls[id] = Call(number: number, task: Task { end(id, number, await work()) })
    }

    /// A cancelled call has no answer.
    private func end(_ id: JSON, _ number: Int, _ result: JSON) {
        guard calls[id]?.number == number else { return }
        calls[id] = nil
        write(result, to: id)
    }

    private func cancel(_ id: JSON) { calls.removeValue(forKey: id)?.task.cancel() }

    private func cancelAll() { for id in calls.keys { cancel(id) } }

    private func write(_ result: JSON, to id: JSON) { write(["jsonrpc": "2.0", "id": id, "result": result]) }

    private func write(_ message: JSON) {
        do {
            try output.write(contentsOf: Data(message.encoded() + [UInt8(ascii: "\n")]))
        } catch {
            isOpen = false
        }
    }
}
