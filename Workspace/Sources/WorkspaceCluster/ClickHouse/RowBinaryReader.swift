import WorkspaceCore
import WorkspaceServer

/// Reads values in the format RowBinary of ClickHouse.
struct RowBinaryReader {
    private let content: [UInt8]
    private var place = 0

    init(_ content: [UInt8]) { self.content = content }

    var isAtEnd: Bool { place == content.count }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(ClickHouseError) -> Number
    {
        let size = MemoryLayout<Number>.size
        guard content.count - place >= size else { throw Self.end }
        defer { place += size }
        return content.withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self))
        }
    }

    mutating func optionalNumber() throws(ClickHouseError) -> Int64? { try isNull() ? nil : try number() }

    mutating func bytes() throws(ClickHouseError) -> [UInt8] { try fixed(count()) }

    mutating func text() throws(ClickHouseError) -> String { String(decoding: try bytes(), as: UTF8.self) }

    mutating func optionalText() throws(ClickHouseError) -> String? { try isNull() ? nil : try text() }

    /// A text of a fixed length.
    mutating func fixed(_ count: Int) throws(ClickHouseError) -> [UInt8] {
        guard content.count - place >= count else { throw Self.end }
        defer { place += count }
        return Array(content[place..<place + count])
    }

    private mutating func isNull() throws(ClickHouseError) -> Bool { try number(UInt8.self) == 1 }

    private mutating func count() throws(ClickHouseError) -> Int {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try number(UInt8.self)
            result |= UInt64(byte & 127) << shift
            guard byte > 127 else { break }
            shift += 7
            guard shift < 35 else { throw .answer("a length has too many bytes") }
        }
        return Int(result)
    }

    private static let end = ClickHouseError.answer("it ends within a row")
}
