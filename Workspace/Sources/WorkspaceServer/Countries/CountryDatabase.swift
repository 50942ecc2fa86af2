import WorkspaceCore

/// A database of addresses in MaxMind's format, of which only the countries are read.
///
/// The description of the format is public (MaxMind DB File Format Specification, version 2.0): a tree in which each bit
/// of an address chooses one of two records of a node, the values to which its leaves point, and a description of both.
/// The file is in memory as a whole, so that it can be cut or removed while the database is in use.
struct CountryDatabase: Sendable {
    /// Why a file is no such database.
    struct Damage: Error, Equatable, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// The name that its maker gave it, such as GeoLite2-Country.
    let type: String
    /// The day (UTC) on which it was made.
    let day: Day
    private let tree: Tree
    private let data: MaxMindSection

    /// Bytes of zeros between tree and data.
    private static let separator = 16
    /// Stands in front of the description, which is at the end of the file.
    private static let marker = [0xAB, 0xCD, 0xEF] + [UInt8]("MaxMind.com".utf8)
    /// The end of the year 9999, in seconds since 1970.
    private static let latest: UInt64 = 253_402_300_799
    /// The most bytes of that end.
    private static let descriptionBytes = 128 << 10

    /// Checks the whole tree, so that a file that was cut or damaged is not taken.
    init(_ bytes: [UInt8]) throws(Damage) {
        guard let description = Self.description(bytes) else {
            throw Damage("it is no database in MaxMind's format (.mmdb), or its end is missing")
        }
        func number(_ name: StaticString) throws(Damage) -> UInt64 {
            let place = description.member(name, of: description.range.lowerBound)
            guard let number = place.flatMap(description.number) else {
                throw Damage("its description has no \(name)")
            }
            return number
        }
        let version = try number("binary_format_major_version")
        guard version == 2 else {
            throw Damage("it has version \(version) of the format; this program reads version 2")
        }
        day = Day(milliseconds: Int64(min(try number("build_epoch"), Self.latest)) * 1_000)
        let type = description.member("database_type", of: description.range.lowerBound).flatMap(description.text)
        // It is shown in lists and logs.
        self.type = String(decoding: (type ?? []).prefix(100), as: UTF8.self).filter { !$0.isNewline }
        let end = description.range.lowerBound - Self.marker.count
        tree = try Tree(
            bytes, nodes: number("node_count"), recordBits: number("record_size"),
            version: number("ip_version"), room: end - Self.separator)
        data = MaxMindSection(bytes: bytes, range: tree.byteCount + Self.separator..<end)
        try check()
    }

    /// The country of an address of 4 or 16 bytes; nil when the database does not have it.
    func country(of address: [UInt8]) -> CountryCode? {
        guard let record = tree.record(of: address) else { return nil }
        return country(in: record)
    }

    /// In the databases of MaxMind and DB-IP a country is a map; in others it is a text, under one of two names.
    private func country(in record: Int) -> CountryCode? {
        guard let place = place(record) else { return nil }
        let country = data.member("country", of: place)
        let text =
            country.flatMap { data.member("iso_code", of: $0) }.flatMap(data.text) ?? country.flatMap(data.text)
            ?? data.member("country_code", of: place).flatMap(data.text)
        return text.flatMap { CountryCode($0) }
    }

    /// Where the value of a record stands; nil when that is behind the data.
    private func place(_ record: Int) -> Int? {
        let place = data.range.lowerBound + record - tree.nodes - Self.separator
        return data.range.contains(place) ? place : nil
    }

    private func check() throws(Damage) {
        var (tried, hasCountry) = (0, false)
        for node in 0..<tree.nodes {
            for side in 0...1 {
                let record = tree.record(node, side)
                guard record > tree.nodes else { continue }
                guard place(record) != nil else { throw Damage("its tree points behind its data; it is damaged") }
                guard !hasCountry, tried < Limits.countryRecordsTried else { continue }
                tried += 1
                hasCountry = country(in: record) != nil
            }
        }
        guard hasCountry else { throw Damage("it has no countries (\(type)); give a database of countries or cities") }
    }

    /// The last description in the file counts.
    private static func description(_ bytes: [UInt8]) -> MaxMindSection? {
        let first = max(0, bytes.count - descriptionBytes)
        var place = bytes.count - marker.count
        while place >= first {
            if bytes[place] == marker[0], bytes[place..<place + marker.count].elementsEqual(marker) {
                return MaxMindSection(bytes: bytes, range: place + marker.count..<bytes.count)
            }
            place -= 1
        }
        return nil
    }
}

extension CountryDatabase {
    /// The tree of a database: nodes of two records, each of 24, 28 or 32 bits. A record below the number of nodes is a node,
    /// that number itself means no data, and a greater one is a place in the data.
    fileprivate struct Tree: Sendable {
        let nodes: Int
        private let bytes: [UInt8]
        private let nodeBytes: Int
        private let isForIPv6: Bool
        /// The record below which IPv4 addresses are: in a tree of IPv6 behind 96 zeros.
        private var root4 = 0

        var byteCount: Int { nodes * nodeBytes }

        /// - Parameter room: how many bytes the tree may have.
        init(_ bytes: [UInt8], nodes: UInt64, recordBits: UInt64, version: UInt64, room: Int) throws(Damage) {
            guard [24, 28, 32].contains(recordBits), [4, 6].contains(version) else {
                throw Damage(
                    "its records have \(recordBits) bits, for version \(version) of addresses; that is no known form")
            }
            nodeBytes = Int(recordBits) / 4
            guard nodes > 0, room >= 0, nodes <= UInt64(room / nodeBytes) else {
                throw Damage("its tree is larger than the file, or empty; it is damaged")
            }
            (self.bytes, self.nodes, isForIPv6) = (bytes, Int(nodes), version == 6)
            guard isForIPv6 else { return }
            for _ in 0..<96 where root4 < self.nodes { root4 = record(root4, 0) }
        }

        /// The record of an address that names data; nil when there is none.
        func record(of address: [UInt8]) -> Int? {
            guard address.count == 4 || isForIPv6 else { return nil }
            var record = address.count == 4 ? root4 : 0
            for bit in 0..<address.count * 8 {
                guard record < nodes else { break }
                record = self.record(record, Int(address[bit >> 3] >> (7 - UInt8(bit & 7)) & 1))
            }
            return record > nodes ? record : nil
        }

        /// - Parameters:
        ///   - node: less than the number of nodes.
        ///   - side: 0 or 1.
        func record(_ node: Int, _ side: Int) -> Int {
            let start = node * nodeBytes
            func number(_ place: Int, _ count: Int) -> Int {
                var number = 0
                for index in place..<place + count { number = number << 8 | Int(bytes[index]) }
                return number
            }
            switch nodeBytes {
            case 6: return number(start + 3 * side, 3)
            case 7:
                // The fourth byte has the highest four bits of both.
                let high = side == 0 ? bytes[start + 3] >> 4 : bytes[start + 3] & 0x0F
                return Int(high) << 24 | number(start + 4 * side, 3)
            default: return number(start + 4 * side, 4)
            }
        }
    }
}
