import CNats
import Foundation
import Synchronization
import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// A connection to the servers of NATS, which comes back by itself.
///
/// Requests get their replies in an inbox of the connection, and have a deadline. The library's own acknowledgements
/// have no deadline, and wait for ever when a server dies. May be used from any task.
package final class NATSConnection: Sendable {
    private let state = Mutex(State())
    // The library may be called from any thread. The pointers are set once, before the object is shared, and `deinit`
    // destroys them.
    nonisolated(unsafe) private var connection: OpaquePointer?
    // As above: set once, before the object is shared.
    nonisolated(unsafe) private var subscription: OpaquePointer?
    private let inbox: String

    private struct State {
        var waiting: [UInt64: AsyncStream<NATSMessage>.Continuation] = [:]
        var number: UInt64 = 0
        var isClosed = false
        /// The subscriptions of `answer`, which `deinit` destroys.
        var answered: [UInt] = []
    }

    /// Connects to one of some servers.
    /// - Throws: `LogError.unavailable` when none answers.
    package init(servers: [String], name: String) throws {
        var options: OpaquePointer?
        try Self.check(natsOptions_Create(&options), "options")
        defer { natsOptions_Destroy(options) }
        var addresses = servers.map { UnsafePointer(strdup($0)) }
        defer { for address in addresses { free(UnsafeMutableRawPointer(mutating: address)) } }
        try Self.check(natsOptions_SetServers(options, &addresses, Int32(addresses.count)), "servers")
        natsOptions_SetName(options, name)
        natsOptions_SetMaxReconnect(options, -1)
        natsOptions_SetReconnectWait(options, 50)
        natsOptions_SetTimeout(options, 2_000)
        // Without it a write to a server that takes no bytes, because it was stopped or cut off, waits until the system
        // gives the connection up, which takes a quarter of an hour. All requests of the node would wait behind it,
        // because the library holds its lock meanwhile; even its pings, which would notice the loss.
        natsOptions_SetWriteDeadline(options, 2_000)
        natsOptions_SetPingInterval(options, 1_000)
        natsOptions_SetMaxPingsOut(options, 2)
        natsOptions_SetReconnectBufSize(options, 16 << 20)
        // A server that goes away is not reported here, because requests notice it. Without this the library writes to
        // standard error.
        natsOptions_SetErrorHandler(options, { _, _, _, _ in }, nil)
        inbox = "_INBOX.tributary.\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        try Self.check(natsConnection_Connect(&connection, options), "no server of \(servers) answers")
        let context = Unmanaged.passRetained(NATSReceiver(self)).toOpaque()
        let status = natsConnection_Subscribe(
            &subscription, connection, inbox + ".*",
            { _, _, message, context in
                guard let message, let context else { return }
                Unmanaged<NATSReceiver>.fromOpaque(context).takeUnretainedValue().take(message)
            }, context)
        guard status == NATS_OK else {
            Unmanaged<NATSReceiver>.fromOpaque(context).release()
            natsConnection_Destroy(connection)
            throw Self.failure(status, "the inbox cannot be used")
        }
        natsSubscription_SetPendingLimits(subscription, -1, -1)
        // The library calls this when no message of the subscription can come any more.
        natsSubscription_SetOnCompleteCB(
            subscription,
            { context in
                guard let context else { return }
                Unmanaged<NATSReceiver>.fromOpaque(context).release()
            }, context)
    }

    deinit {
        natsConnection_Destroy(connection)
        natsSubscription_Destroy(subscription)
        for address in state.withLock({ $0.answered }) { natsSubscription_Destroy(OpaquePointer(bitPattern: address)) }
    }

    /// Bytes of the largest message that the servers take.
    var mostBytes: Int { Int(natsConnection_GetMaxPayload(connection)) }

    /// Ends the connection; requests that wait for an answer fail.
    package func close() {
        natsConnection_Close(connection)
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for entry in waiting { entry.finish() }
    }

    /// Sends a request and waits for one answer.
    /// - Throws: `LogError.unavailable` when the answer has not come in time. The request may have been carried out.
    func ask(
        _ subject: String, _ bytes: [UInt8] = [], headers: [(String, String)] = [], within time: Duration = .seconds(3)
    ) async throws -> NATSMessage {
        var answer: NATSMessage?
        try await ask(subject, bytes, headers: headers, within: time) { message in
            answer = message
            return false
        }
        guard let answer else { throw LogError.unavailable("\(subject) was not answered in time") }
        return answer
    }

    /// Sends a request and takes answers until `take` has enough, or the time has passed.
    /// - Parameter take: gets one answer after the other, and returns false after the last.
    func ask(
        _ subject: String, _ bytes: [UInt8], headers: [(String, String)] = [], within time: Duration,
        _ take: (NATSMessage) throws -> Bool
    ) async throws {
        let (answers, give) = AsyncStream.makeStream(of: NATSMessage.self)
        let number = try state.withLock { state throws(LogError) in
            guard !state.isClosed else { throw .unavailable("the connection was closed") }
            state.number += 1
            state.waiting[state.number] = give
            return state.number
        }
        defer { state.withLock { $0.waiting[number] = nil } }
        let limit = Task {
            try await Task.sleep(for: time)
            give.finish()
        }
        defer { limit.cancel() }
        try publish(subject, reply: "\(inbox).\(number)", bytes, headers)
        for await message in answers where try !take(message) { return }
        try Task.checkCancellation()
    }

    /// Answers requests to a subject, until the connection ends. Answers are made on a thread of the library.
    func answer(_ subject: String, with bytes: @escaping @Sendable () -> [UInt8]) throws {
        var subscription: OpaquePointer?
        let context = Unmanaged.passRetained(NATSAnswerer(self, bytes)).toOpaque()
        let status = natsConnection_Subscribe(
            &subscription, connection, subject,
            { _, _, message, context in
                guard let message, let context else { return }
                Unmanaged<NATSAnswerer>.fromOpaque(context).takeUnretainedValue().answer(message)
            }, context)
        guard status == NATS_OK else {
            Unmanaged<NATSAnswerer>.fromOpaque(context).release()
            throw Self.failure(status, "\(subject) cannot be listened to")
        }
        natsSubscription_SetOnCompleteCB(
            subscription,
            { context in
                guard let context else { return }
                Unmanaged<NATSAnswerer>.fromOpaque(context).release()
            }, context)
        // A subscription ends when it is destroyed.
        let address = UInt(bitPattern: subscription)
        state.withLock { $0.answered.append(address) }
    }

    fileprivate func send(_ bytes: [UInt8], to subject: String) {
        // An answer that cannot be sent has the effect of a lost one: the asking node counts without this node.
        _ = bytes.withUnsafeBytes { bytes in
            natsConnection_Publish(connection, subject, bytes.baseAddress, Int32(bytes.count))
        }
    }

    fileprivate func take(_ message: NATSMessage, of number: UInt64) {
        state.withLock { $0.waiting[number] }?.yield(message)
    }

    private func publish(_ subject: String, reply: String, _ bytes: [UInt8], _ headers: [(String, String)]) throws {
        var message: OpaquePointer?
        let status = bytes.withUnsafeBytes { bytes in
            natsMsg_Create(
                &message, subject, reply, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
        try Self.check(status, "a message of \(bytes.count) bytes cannot be made")
        defer { natsMsg_Destroy(message) }
        for (name, value) in headers { try Self.check(natsMsgHeader_Set(message, name, value), "header") }
        try Self.check(natsConnection_PublishMsg(connection, message), "a message cannot be sent")
    }

    private static func check(_ status: natsStatus, _ what: String) throws(LogError) {
        guard status == NATS_OK else { throw failure(status, what) }
    }

    private static func failure(_ status: natsStatus, _ what: String) -> LogError {
        .unavailable("\(what): \(String(cString: natsStatus_GetText(status)))")
    }
}

/// The library calls it for a request that this process answers.
private final class NATSAnswerer {
    private weak let connection: NATSConnection?
    private let bytes: @Sendable () -> [UInt8]

    init(_ connection: NATSConnection, _ bytes: @escaping @Sendable () -> [UInt8]) {
        (self.connection, self.bytes) = (connection, bytes)
    }

    func answer(_ message: OpaquePointer) {
        defer { natsMsg_Destroy(message) }
        guard let reply = natsMsg_GetReply(message) else { return }
        connection?.send(bytes(), to: String(cString: reply))
    }
}

/// The library calls it for an answer, and holds it as long as it may call.
private final class NATSReceiver {
    private weak let connection: NATSConnection?

    init(_ connection: NATSConnection) { self.connection = connection }

    func take(_ message: OpaquePointer) {
        defer { natsMsg_Destroy(message) }
        guard let connection, let subject = natsMsg_GetSubject(message).map({ String(cString: $0) }),
            let number = subject.split(separator: ".").last.flatMap({ UInt64($0) })
        else { return }
        var answer = NATSMessage()
        if let bytes = natsMsg_GetData(message) {
            answer.bytes = Array(UnsafeRawBufferPointer(start: bytes, count: Int(natsMsg_GetDataLength(message))))
        }
        for name in NATSMessage.names {
            var value: UnsafePointer<CChar>?
            guard natsMsgHeader_Get(message, name, &value) == NATS_OK, let value else { continue }
            answer.headers[name] = String(cString: value)
        }
        connection.take(answer, of: number)
    }
}
