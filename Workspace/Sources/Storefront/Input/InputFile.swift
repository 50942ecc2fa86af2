import Foundation
import GzipReading
import TributaryJSON

/// A file with one JSON object a line, plain or gzip, read whole.
struct InputFile {
    /// Largest size, decompressed.
    static let largestSize = 256 << 20
    /// Longest line; a session or an event has a few KB.
    static let longestLine = 1 << 20

    let name: String
    private let bytes: [UInt8]
    /// The lines that are not blank, by their number.
    private let lines: [(number: Int, range: Range<Int>)]

    init(path: String) throws(InputError) {
        try self.init(name: path, contents: try Self.contents(path))
    }

    init(name: String, contents: [UInt8]) throws(InputError) {
        self.name = name
        do throws(InputProblem) {
            bytes = try Self.plain(contents)
        } catch {
            throw InputError(file: name, line: nil, reason: error.reason)
        }
        guard bytes.count <= Self.largestSize else {
            throw InputError(file: name, line: nil, reason: "more than \(Self.largestSize) bytes")
        }
        lines = Self.lines(bytes)
    }

    /// The text of a plain or compressed file.
    private static func plain(_ contents: [UInt8]) throws(InputProblem) -> [UInt8] {
        guard Gunzip.looksCompressed(contents) else { return contents }
        do throws(Gunzip.Failure) {
            return try Gunzip.inflate(contents, limit: largestSize)
        } catch {
            switch error {
            case .tooLarge: throw InputProblem("more than \(largestSize) bytes when decompressed")
            case .malformed(let detail): throw InputProblem("the gzip data cannot be read: \(detail)")
            }
        }
    }

    var count: Int { lines.count }

    /// Reads the line at a place among the lines that are not blank. An error gets the line's number.
    func read<Value>(_ index: Int, _ body: (JSON, Int) throws(InputProblem) -> Value) throws(InputError) -> Value {
        let (number, range) = lines[index]
        do throws(InputProblem) {
            guard range.count <= Self.longestLine else {
                throw InputProblem("the line has \(range.count) bytes, at most \(Self.longestLine) are read")
            }
            return try body(try Self.json(bytes[range], number), range.count)
        } catch {
            throw InputError(file: name, line: number, reason: error.reason)
        }
    }

    private static func json(_ line: ArraySlice<UInt8>, _ number: Int) throws(InputProblem) -> JSON {
        do throws(JSONError) {
            return try JSON.parse(Array(line))
        } catch {
            throw InputProblem("not JSON: \(error.inText(fromLine: number))")
        }
    }

    private static func lines(_ bytes: [UInt8]) -> [(number: Int, range: Range<Int>)] {
        var lines: [(number: Int, range: Range<Int>)] = []
        var start = 0
        var number = 1
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            if bytes[start..<end].contains(where: { $0 > UInt8(ascii: " ") }) { lines.append((number, start..<end)) }
            start = end + 1
            number += 1
        }
        return lines
    }

    /// Everything there is to read, from pipes too; a larger file than allowed is not read to its end.
    private static func contents(_ path: String) throws(InputError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InputError(file: path, line: nil, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while contents.count <= largestSize {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw InputError(file: path, line: nil, reason: String(cString: strerror(errno)))
            }
            if count == 0 { break }
            contents += buffer[..<count]
        }
        return contents
    }
}
