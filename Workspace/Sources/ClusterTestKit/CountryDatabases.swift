import Foundation
import WorkspaceCore

/// Writes small databases in MaxMind's format.
package struct CountryDatabases {
    /// A value of the data section.
    package indirect enum Value {
        case text(String)
        /// With the number of its kind: 5, 6 and 9 for 16, 32 and 64 bits.
        case number(UInt64, kind: Int)
        case map([(String, Value)])
        case list([Value])
        /// Bytes as they are.
        case raw([UInt8])

        package static func country(_ code: String) -> Value {
            .map([
                ("continent", .map([("code", .text("EU")), ("names", .map([("en", .text("Europe"))]))])),
                ("country", .map([("geoname_id", .number(7, kind: 6)), ("iso_code", .text(code))])),
                ("registered_country", .map([("iso_code", .text("ZZ"))])), ("list", .list([.text("a"), .list([])])),
            ])
        }

        package var bytes: [UInt8] {
            switch self {
            case .text(let text): Self.head(2, text.utf8.count) + text.utf8
            case .number(let number, let kind):
                Self.head(kind, 8) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
            case .map(let members):
                Self.head(7, members.count) + members.flatMap { Value.text($0).bytes + $1.bytes }
            case .list(let values): Self.head(11, values.count) + values.flatMap(\.bytes)
            case .raw(let bytes): bytes
            }
        }

        package static func head(_ kind: Int, _ size: Int) -> [UInt8] {
            let (code, rest): (Int, [UInt8]) =
                switch size {
                case ..<29: (size, [])
                case ..<285: (29, [UInt8(size - 29)])
                default: (30, [UInt8((size - 285) >> 8), UInt8((size - 285) & 0xFF)])
                }
            return kind > 7 ? [UInt8(code), UInt8(kind - 7)] + rest : [UInt8(kind << 5 | code)] + rest
        }
    }

    private enum Record {
        case none
        case node(Int)
        case place(Int)
    }

    package var version = 6
    package var recordBits = 28
    package var type = "Test-Country"
    /// 24 November 2026.
    package var builtAt: UInt64 = 1_795_500_000
    /// Members of the description instead of the right ones.
    package var description: [String: Value] = [:]
    /// Stands in front of the values.
    package var data: [UInt8] = []
    private var nodes: [[Record]] = [[.none, .none]]

    package init() {}

    /// Of countries.
    package static func countries(_ networks: KeyValuePairs<String, String>) -> CountryDatabases {
        var database = CountryDatabases()
        for (network, code) in networks { database.add(network, .country(code)) }
        return database
    }

    /// - Parameter network: as `192.0.2.0/24`; larger ones come before those in them.
    package mutating func add(_ network: String, _ value: Value) {
        add(network, at: data.count)
        data += value.bytes
    }

    package mutating func add(_ network: String, at place: Int) {
        let parts = network.split(separator: "/")
        let address = IPAddress.bytes(of: String(parts[0])) ?? []
        var bits = (0..<(Int(parts[1]) ?? 0)).map { Int(address[$0 / 8] >> (7 - UInt8($0 % 8)) & 1) }
        if address.count == 4, version == 6 { bits = Array(repeating: 0, count: 96) + bits }
        var node = 0
        for bit in bits.dropLast() {
            if case .node(let below) = nodes[node][bit] {
                node = below
                continue
            }
            nodes.append([nodes[node][bit], nodes[node][bit]])
            nodes[node][bit] = .node(nodes.count - 1)
            node = nodes.count - 1
        }
        nodes[node][bits[bits.count - 1]] = .place(place)
    }

    package var bytes: [UInt8] {
        let usual: [(String, Value)] = [
            ("node_count", .number(UInt64(nodes.count), kind: 6)),
            ("record_size", .number(UInt64(recordBits), kind: 5)),
            ("ip_version", .number(UInt64(version), kind: 5)),
            ("languages", .list([.text("en")])), ("database_type", .text(type)),
            ("binary_format_major_version", .number(2, kind: 5)), ("build_epoch", .number(builtAt, kind: 9)),
        ]
        let said = Value.map(usual.map { ($0, description[$0] ?? $1) })
        return tree + [UInt8](repeating: 0, count: 16) + data + [0xAB, 0xCD, 0xEF] + Array("MaxMind.com".utf8)
            + said.bytes
    }

    private var tree: [UInt8] {
        nodes.flatMap { node -> [UInt8] in
            let numbers = node.map { record in
                switch record {
                case .none: nodes.count
                case .node(let node): node
                case .place(let place): nodes.count + 16 + place
                }
            }
            func low(_ number: Int) -> [UInt8] { (0..<3).map { UInt8(truncatingIfNeeded: number >> (16 - 8 * $0)) } }
            func high(_ number: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> 24) }
            switch recordBits {
            case 24: return low(numbers[0]) + low(numbers[1])
            case 28: return low(numbers[0]) + [high(numbers[0]) << 4 | high(numbers[1])] + low(numbers[1])
            default: return [high(numbers[0])] + low(numbers[0]) + [high(numbers[1])] + low(numbers[1])
            }
        }
    }

    package func write(to path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }
}
