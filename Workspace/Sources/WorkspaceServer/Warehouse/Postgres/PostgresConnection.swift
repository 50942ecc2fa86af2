import CLibPQ
import Foundation
import Synchronization
import WorkspaceCore

/// Ends blocking calls from another thread. May be used from any thread.
final class StopSignal: Sendable {
    private let isSet = Mutex(false)

    func stop() { isSet.withLock { $0 = true } }

    var isStopped: Bool { isSet.withLock { $0 } }
}

/// A connection to a PostgreSQL server. Its calls block, but no longer than their time limit, and end soon after a stop.
/// One thread uses it at a time.
final class PostgresConnection {
    private let library: LibPQ
    private var connection: UnsafeMutableRawPointer?
    /// Of the call that is made now.
    var stop: StopSignal
    private let milliseconds: Int64

    private var functions: tributary_libpq { library.functions }

    /// Connects.
    /// - Parameters:
    ///   - parameters: keywords of libpq and their values.
    ///   - seconds: how long each call may take.
    init(_ parameters: [(String, String)], seconds: Int64, stop: StopSignal) throws(PostgresError) {
        (library, self.stop, milliseconds) = (try LibPQ.loaded(), stop, seconds * 1_000)
        connection = CStrings.with(parameters.map(\.0)) { keywords in
            CStrings.with(parameters.map(\.1)) { values in library.functions.connect_start(keywords, values, 0) }
        }
        do throws(PostgresError) {
            try connect()
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    var isOpen: Bool {
        guard let connection else { return false }
        return functions.status(connection) == Int32(tributary_libpq_connection_ok.rawValue)
    }

    func close() {
        if let connection { functions.finish(connection) }
        connection = nil
    }

    /// Runs one statement.
    /// - Returns: its rows; nil is NULL.
    @discardableResult
    func run(_ sql: String, _ parameters: [String?] = []) throws(PostgresError) -> [[String?]] {
        let deadline = deadline()
        let connection = try open()
        let isSent = CStrings.with(parameters) { values in
            functions.send_query(connection, sql, Int32(parameters.count), nil, values, nil, nil, 0)
        }
        guard isSent == 1 else { throw lost() }
        try flush(until: deadline)
        return try results(until: deadline)
    }

    /// Loads rows in the text format of COPY.
    func copy(_ sql: String, _ bytes: [UInt8]) throws(PostgresError) {
        let deadline = deadline()
        let connection = try open()
        guard functions.send_query(connection, sql, 0, nil, nil, nil, nil, 0) == 1 else { throw lost() }
        try flush(until: deadline)
        try waitForResult(until: deadline)
        guard let result = functions.get_result(connection) else { throw lost() }
        let status = functions.result_status(result)
        guard status == Int32(tributary_libpq_copy_in.rawValue) else {
            let error = self.error(of: result)
            functions.clear(result)
            try finish(until: deadline)
            throw error
        }
        functions.clear(result)
        try put(bytes, until: deadline)
        while true {
            let answer = functions.put_copy_end(connection, nil)
            if answer == 1 { break }
            guard answer == 0 else { throw lost() }
            try wait(reading: false, until: deadline)
        }
        try flush(until: deadline)
        _ = try results(until: deadline)
    }

    // MARK: Steps

    private func connect() throws(PostgresError) {
        let deadline = Self.now() + min(milliseconds, Limits.warehouseConnectSeconds * 1_000)
        guard let connection else { throw PostgresError("there is no memory for a connection") }
        withUnsafePointer(to: library.functions) { tributary_libpq_silence($0, connection) }
        guard functions.socket(connection) >= 0 else { throw lost() }
        var isReading = false
        while true {
            try wait(reading: isReading, until: deadline)
            switch UInt32(bitPattern: functions.connect_poll(connection)) {
            case tributary_libpq_polling_ok.rawValue:
                guard functions.set_nonblocking(connection, 1) == 0 else { throw lost() }
                return
            case tributary_libpq_polling_reading.rawValue: isReading = true
            case tributary_libpq_polling_writing.rawValue: isReading = false
            default: throw lost()
            }
        }
    }

    private func put(_ bytes: [UInt8], until deadline: Int64) throws(PostgresError) {
        let connection = try open()
        var sent = 0
        while sent < bytes.count {
            let count = min(1 << 20, bytes.count - sent)
            let answer = bytes[sent..<sent + count].withUnsafeBytes {
                functions.put_copy_data(connection, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count))
            }
            guard answer >= 0 else { throw lost() }
            if answer == 1 { sent += count }
            try flush(until: deadline)
        }
    }

    private func flush(until deadline: Int64) throws(PostgresError) {
        let connection = try open()
        while true {
            let answer = functions.flush(connection)
            if answer == 0 { return }
            guard answer > 0 else { throw lost() }
            // A server that answers meanwhile may wait until its answer is read.
            try wait(reading: nil, until: deadline)
            guard functions.consume_input(connection) == 1 else { throw lost() }
        }
    }

    private func waitForResult(until deadline: Int64) throws(PostgresError) {
        let connection = try open()
        while functions.is_busy(connection) == 1 {
            try wait(reading: true, until: deadline)
            guard functions.consume_input(connection) == 1 else { throw lost() }
        }
    }

    /// The rows of all results of a command, or the first error.
    private func results(until deadline: Int64) throws(PostgresError) -> [[String?]] {
        var rows: [[String?]] = []
        var failure: PostgresError?
        while let result = try next(until: deadline) {
            let status = UInt32(bitPattern: functions.result_status(result))
            if status == tributary_libpq_tuples_ok.rawValue {
                rows += self.rows(of: result)
            } else if status != tributary_libpq_command_ok.rawValue {
                failure = failure ?? error(of: result)
            }
            functions.clear(result)
        }
        if let failure { throw failure }
        return rows
    }

    private func finish(until deadline: Int64) throws(PostgresError) {
        while let result = try next(until: deadline) { functions.clear(result) }
    }

    private func next(until deadline: Int64) throws(PostgresError) -> UnsafeMutableRawPointer? {
        try waitForResult(until: deadline)
        return functions.get_result(try open())
    }

    private func rows(of result: UnsafeMutableRawPointer) -> [[String?]] {
        let columns = functions.column_count(result)
        return (0..<functions.row_count(result)).map { row in
            (0..<columns).map { column in
                guard functions.is_null(result, row, column) == 0, let value = functions.value(result, row, column)
                else {
                    return nil
                }
                return String(cString: value)
            }
        }
    }

    private func error(of result: UnsafeMutableRawPointer) -> PostgresError {
        func field(_ code: tributary_libpq_value) -> String? {
            functions.result_error_field(result, Int32(code.rawValue)).map { String(cString: $0) }
        }
        guard let message = field(tributary_libpq_field_message) else { return lost() }
        // Details name values of events, which do not belong into a state or a log; but they explain errors of the schema.
        let state = field(tributary_libpq_field_state)
        let detail = state?.hasPrefix("2") == true ? nil : field(tributary_libpq_field_detail)
        return PostgresError([message, detail].compactMap(\.self).joined(separator: "; "), state: state)
    }

    /// The connection is of no use any more.
    private func lost() -> PostgresError {
        guard let connection else { return PostgresError("there is no connection to the database") }
        let message = functions.error_message(connection).map { String(cString: $0) } ?? ""
        return PostgresError(message.isEmpty ? "the connection to the database is lost" : message)
    }

    private func open() throws(PostgresError) -> UnsafeMutableRawPointer {
        guard let connection else { throw PostgresError("there is no connection to the database") }
        return connection
    }

    // MARK: Time

    private func deadline() -> Int64 { Self.now() + milliseconds }

    private static func now() -> Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }

    /// Waits until the server can be read from or written to; nil waits for both.
    private func wait(reading: Bool?, until deadline: Int64) throws(PostgresError) {
        let events = reading.map { Int16($0 ? POLLIN : POLLOUT) } ?? Int16(POLLIN | POLLOUT)
        while true {
            guard !stop.isStopped else {
                close()
                throw PostgresError("the server stops")
            }
            var descriptor = pollfd(fd: functions.socket(try open()), events: events, revents: 0)
            if poll(&descriptor, 1, Limits.warehouseSliceMilliseconds) > 0 { return }
            guard Self.now() < deadline else {
                close()
                throw PostgresError("the database did not answer within \(milliseconds / 1_000) seconds")
            }
        }
    }
}

/// Texts as C strings.
private enum CStrings {
    static func with<Result>(
        _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let copies = texts.map { $0.map { strdup($0) } ?? nil }
        defer { for copy in copies { free(copy) } }
        return (copies.map { $0.map { UnsafePointer($0) } } + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
