import WorkspaceCore

/// A value of a row, as a file has it.
enum SQLiteValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case bytes([UInt8])

    /// Reads a record; nil unless it is exactly one.
    ///
    /// https://sqlite.org/fileformat2.html#record_format
    static func record(_ payload: [UInt8]) -> [SQLiteValue]? {
        var offset = 0
        guard let head = payload.varint(&offset), head >= 1, head <= Int64(payload.count) else { return nil }
        var (values, place): ([SQLiteValue], Int) = ([], Int(head))
        while offset < Int(head) {
            guard let type = payload.varint(&offset), offset <= Int(head),
                let value = value(of: type, in: payload, &place)
            else { return nil }
            values.append(value)
        }
        return place == payload.count ? values : nil
    }

    /// How many bytes a value of a type takes; nil when there is no such type.
    static func width(of type: Int64) -> Int64? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: type
        case 5: 6
        case 6, 7: 8
        case 12...: (type - 12) / 2
        default: nil
        }
    }

    private static func value(of type: Int64, in payload: [UInt8], _ place: inout Int) -> SQLiteValue? {
        let integerBytes = [0, 1, 2, 3, 4, 6, 8]
        switch type {
        case 0: return .null
        case 1...6:
            guard let bytes = take(Int64(integerBytes[Int(type)]), of: payload, &place) else { return nil }
            var number: Int64 = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
            for byte in bytes { number = number << 8 | Int64(byte) }
            return .integer(number)
        case 7:
            guard let bytes = take(8, of: payload, &place) else { return nil }
            return .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        case 8: return .integer(0)
        case 9: return .integer(1)
        case 10, 11: return nil
        case 12...:
            guard let bytes = take((type - 12) / 2, of: payload, &place) else { return nil }
            return type % 2 == 0 ? .bytes(Array(bytes)) : .text(Array(bytes))
        default: return nil
        }
    }

    private static func take(_ count: Int64, of payload: [UInt8], _ place: inout Int) -> ArraySlice<UInt8>? {
        guard count <= Int64(payload.count - place) else { return nil }
        defer { place += Int(count) }
        return payload[place..<place + Int(count)]
    }
}

extension [UInt8] {
    /// Reads a number of variable length, 1 to 9 bytes; nil when bytes are missing.
    func varint(_ offset: inout Int) -> Int64? {
        var number: UInt64 = 0
        for index in 0..<9 {
            guard offset < count else { return nil }
            let byte = self[offset]
            offset += 1
            if index == 8 { return Int64(bitPattern: number << 8 | UInt64(byte)) }
            number = number << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return Int64(bitPattern: number) }
        }
        return nil
    }
}
