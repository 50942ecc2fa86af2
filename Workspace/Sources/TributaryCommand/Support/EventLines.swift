import CWorkspaceZlib
import Foundation
import WorkspaceCore
import WorkspaceServer

/// Reads a file line by line, plain or gzip, with the memory of one line.
struct EventLines {
    struct Line {
        /// Counted from 1.
        let number: Int
        let bytes: [UInt8]
    }

    /// Longer lines are refused: an event has at most 32 KB on the server.
    static let lineBytes = 4 << 20

    private let path: String
    private let file: gzFile
    private let size: Int
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var filled = 0
    private var position = 0
    private var number = 0
    private var isAtEnd = false

    init(_ path: String) throws(Failure) {
        self.path = path
        if let reason = SystemReason.reading(path) { throw Failure("\(path.printable) cannot be read: \(reason)") }
        guard let file = gzopen(path, "rb") else {
            throw Failure("\(path.printable) cannot be read: \(SystemReason.text(code: errno))")
        }
        self.file = file
        // Only for the progress that is shown.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        size = (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Ends the reading.
    func close() { gzclose(file) }

    /// The share of the file that has been read, from 0 to 1.
    var share: Double { size > 0 ? min(1, Double(gzoffset(file)) / Double(size)) : 1 }

    /// The next line that is not empty; nil at the end.
    mutating func next() throws(Failure) -> Line? {
        while let bytes = try line() {
            number += 1
            if !bytes.isEmpty { return Line(number: number, bytes: bytes) }
        }
        return nil
    }

    /// The next line, also an empty one.
    mutating func nextOfAny() throws(Failure) -> Line? {
        guard let bytes = try line() else { return nil }
        number += 1
        return Line(number: number, bytes: bytes)
    }

    /// The next line without its end; the first one without the byte order mark of some programs.
    private mutating func line() throws(Failure) -> [UInt8]? {
        guard var line = try lineAsItIs() else { return nil }
        guard number == 0 else { return line }
        if line.starts(with: [0xFF, 0xFE]) || line.starts(with: [0xFE, 0xFF]) {
            throw Failure("\(path) is UTF-16; save it as UTF-8")
        }
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        return line
    }

    private mutating func lineAsItIs() throws(Failure) -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            if position == filled {
                try fill()
                if filled == 0 { return line.isEmpty ? nil : line }
            }
            let rest = buffer[position..<filled]
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                position = end + 1
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return line
            }
            line += rest
            position = filled
            guard line.count <= Self.lineBytes else {
                throw Failure("\(path): line \(number + 1) is longer than \(Self.lineBytes.grouped) bytes")
            }
        }
    }

    private mutating func fill() throws(Failure) {
        position = 0
        filled = 0
        if isAtEnd { return }
        let count = buffer.withUnsafeMutableBytes { gzread(file, $0.baseAddress, UInt32($0.count)) }
        var code: Int32 = 0
        gzerror(file, &code)
        // When a gzip file ends too early, the lines before its end are read first, and then the error is thrown.
        guard count >= 0, code == Z_OK || code == Z_STREAM_END else {
            let reason =
                switch code {
                case Z_ERRNO: SystemReason.text(code: errno)
                case Z_BUF_ERROR: "the compressed file ends too early; was it copied to its end?"
                default: "its compressed data is damaged"
                }
            throw Failure("\(path.printable) cannot be read further: \(reason)")
        }
        filled = Int(count)
        isAtEnd = count == 0
    }
}
