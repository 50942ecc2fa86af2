@testable import WorkspaceCore
@testable import WorkspaceServer

/// The reader of databases of countries takes any bytes for a file. What it does not refuse has an answer for each address.
enum CountryFuzzing {
    /// The first byte says whether the others are a whole file, or tree and data before a description that fits them.
    static func run(_ bytes: [UInt8]) {
        let (first, rest) = (bytes.first ?? 0, bytes.dropFirst())
        let file = first & 1 == 0 ? Array(rest) : described(rest, nodes: Int(first >> 3) + 1, isForIPv6: first & 2 != 0)
        // A file that is refused has said why.
        guard let database = try? CountryDatabase(file) else { return }
        for address in [Array(rest.prefix(4)), Array(rest.prefix(16)), Array(rest.suffix(16))] {
            guard address.count == 4 || address.count == 16 else { continue }
            guard let code = database.country(of: address) else { continue }
            guard code.bytes.count == 2, code.bytes.allSatisfy({ 0x41...0x5A ~= $0 }) else {
                fatalError("\(code) is no country")
            }
        }
    }

    /// - Parameter nodes: of the tree, for which the first bytes are taken; each has six bytes.
    private static func described(_ bytes: ArraySlice<UInt8>, nodes: Int, isForIPv6: Bool) -> [UInt8] {
        var tree = Array(bytes.prefix(nodes * 6))
        tree += [UInt8](repeating: 0, count: nodes * 6 - tree.count)
        let numbers: [(name: String, value: UInt8)] = [
            ("binary_format_major_version", 2), ("build_epoch", 9), ("node_count", UInt8(nodes)), ("record_size", 24),
            ("ip_version", isForIPv6 ? 6 : 4),
        ]
        var description: [UInt8] = [0xE0 | UInt8(numbers.count + 1)]
        for (name, value) in numbers { description += text(name) + [0xA1, value] }
        description += text("database_type") + text("fuzz")
        let separator = [UInt8](repeating: 0, count: 16)
        return tree + separator + bytes.dropFirst(nodes * 6) + [0xAB, 0xCD, 0xEF] + Array("MaxMind.com".utf8)
            + description
    }

    /// Of fewer than 29 bytes.
    private static func text(_ text: String) -> [UInt8] { [0x40 | UInt8(text.utf8.count)] + Array(text.utf8) }
}
