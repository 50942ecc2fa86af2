import ClusterTestKit
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Databases of countries", .timeLimit(.minutes(30))) struct CountryDatabaseTests {
    private typealias Value = CountryDatabases.Value

    private func country(_ address: String, in database: CountryDatabases) throws -> String? {
        try CountryDatabase(database.bytes).country(of: address)?.description
    }

    @Test("An address has the country of the smallest network around it", arguments: [24, 28, 32])
    func networks(recordBits: Int) throws {
        var database = CountryDatabases.countries([
            "8.0.0.0/7": "US", "81.2.69.0/24": "GB", "81.2.69.192/26": "de", "2001:db8::/32": "FR",
        ])
        database.recordBits = recordBits
        let read = try CountryDatabase(database.bytes)
        for (address, code) in [
            ("9.9.9.9", "US"), ("81.2.69.1", "GB"), ("81.2.69.200", "DE"), ("2001:db8::1", "FR"),
            ("::ffff:81.2.69.1", "GB"),
        ] {
            #expect(read.country(of: address)?.description == code, "\(address)")
        }
        for address in ["203.0.113.1", "2001:db9::1", "::1", "fe80::1", "fe80::1%eth0", "", "localhost", "1.2.3"] {
            #expect(read.country(of: address) == nil, "\(address)")
        }
        #expect(read.type == "Test-Country")
        #expect("\(read.day)" == "2026-11-24")
    }

    @Test("A database of IPv4 has no country of an address of IPv6") func four() throws {
        var database = CountryDatabases()
        (database.version, database.recordBits) = (4, 24)
        database.add("192.0.2.0/24", .country("SE"))
        #expect(try country("192.0.2.9", in: database) == "SE")
        #expect(try country("::ffff:192.0.2.9", in: database) == "SE")
        #expect(try country("2001:db8::1", in: database) == nil)
    }

    @Test("Databases of other makers have the country as a text") func makers() throws {
        var database = CountryDatabases()
        database.add("10.0.0.0/8", .map([("asn", .text("AS1")), ("country", .text("NO"))]))
        database.add("20.0.0.0/8", .map([("country_code", .text("FI")), ("country", .map([]))]))
        database.add("30.0.0.0/8", .map([("registered_country", .map([("iso_code", .text("US"))]))]))
        database.add("40.0.0.0/8", .map([("country", .map([("iso_code", .text("Germany"))]))]))
        database.add("50.0.0.0/8", .map([("country", .map([("iso_code", .text("D1"))]))]))
        #expect(try country("10.0.0.1", in: database) == "NO")
        #expect(try country("20.0.0.1", in: database) == "FI")
        // Where an address was registered says little about where it is.
        for address in ["30.0.0.1", "40.0.0.1", "50.0.0.1"] { #expect(try country(address, in: database) == nil) }
    }

    @Test("A value may be a pointer to one that is there already, of each length") func pointers() throws {
        for (first, base) in [(0, 0), (2_100, 2_048), (530_000, 526_336)] {
            var database = CountryDatabases()
            database.data = [UInt8](repeating: 0xE0, count: first)
            let record = Value.map([("iso_code", .text("PT"))])
            database.add("10.0.0.0/8", .map([("country", record)]))
            let target = first - base + 1 + 8
            let pointer: [UInt8] =
                switch first {
                case 0: [0x20, UInt8(target)]
                case 2_100: [0x28, UInt8(target >> 8), UInt8(target & 0xFF)]
                default: [0x30, UInt8(target >> 16), UInt8(target >> 8 & 0xFF), UInt8(target & 0xFF)]
                }
            database.add("20.0.0.0/8", .map([("country", .raw(pointer))]))
            let far = first + 1 + 8
            let full = [0x38] + (0..<4).map { UInt8(far >> (24 - 8 * $0) & 0xFF) }
            database.add("30.0.0.0/8", .map([("country", .raw(full))]))
            for address in ["10.0.0.1", "20.0.0.1", "30.0.0.1"] { #expect(try country(address, in: database) == "PT") }
        }
    }

    private func damage(_ bytes: [UInt8]) -> String? {
        do throws(CountryDatabase.Damage) {
            _ = try CountryDatabase(bytes)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("A file that is no such database is refused, and the reason helps") func refused() throws {
        #expect(damage([])?.contains("no database in MaxMind's format") == true)
        #expect(damage(Array("network,geoname_id\n1.0.0.0/24,2077456\n".utf8))?.contains("(.mmdb)") == true)
        var networks = CountryDatabases()
        networks.type = "GeoLite2-ASN"
        networks.add("10.0.0.0/8", .map([("autonomous_system_number", .number(64_500, kind: 6))]))
        #expect(damage(networks.bytes)?.contains("it has no countries (GeoLite2-ASN)") == true)
        for (name, value, words) in [
            ("binary_format_major_version", 3, "version 3 of the format"),
            ("node_count", 1 << 40, "larger than the file"),
            ("node_count", 0, "or empty"), ("record_size", 20, "no known form"), ("ip_version", 5, "no known form"),
            ("node_count", .max, "larger than the file"), ("record_size", .max, "no known form"),
        ] as [(String, UInt64, String)] {
            var database = CountryDatabases.countries(["10.0.0.0/8": "IT"])
            database.description = [name: .number(value, kind: 9)]
            #expect(damage(database.bytes)?.contains(words) == true, "\(name) \(value)")
        }
        var database = CountryDatabases.countries(["10.0.0.0/8": "IT"])
        database.add("20.0.0.0/8", at: 5_000)
        #expect(damage(database.bytes)?.contains("points behind its data") == true)
        database = .countries(["10.0.0.0/8": "IT"])
        (database.builtAt, database.type) = (.max, "a\nb")
        #expect(try CountryDatabase(database.bytes).type == "ab")
    }

    @Test("A file that was cut is refused") func cut() {
        let bytes = CountryDatabases.countries(["10.0.0.0/8": "IT", "2001:db8::/32": "FR"]).bytes
        for count in 0..<bytes.count - 200 { #expect(damage(Array(bytes.prefix(count))) != nil) }
        for count in 1..<bytes.count - 200 { #expect(damage(Array(bytes.suffix(count))) != nil) }
    }

    @Test("Wrong bytes anywhere give another country or none, and end nothing") func wrongBytes() {
        var numbers = SeededNumbers(seed: 5)
        let right = CountryDatabases.countries(["10.0.0.0/8": "IT", "20.0.0.0/8": "ES", "2001:db8::/32": "FR"]).bytes
        var taken = 0
        for _ in 0..<4_000 {
            var bytes = right
            for _ in 0...Int.random(in: 0...4, using: &numbers) {
                // Most of the file is its tree; what is behind it is the harder part.
                let first = Bool.random(using: &numbers) ? 0 : bytes.count - 400
                bytes[.random(in: first..<bytes.count, using: &numbers)] = .random(in: 0...255, using: &numbers)
            }
            guard let database = try? CountryDatabase(bytes) else { continue }
            taken += 1
            for address in ["10.0.0.1", "20.1.1.1", "2001:db8::1", "::", "255.255.255.255"] {
                _ = database.country(of: address)
            }
        }
        #expect(taken > 100)
    }

    @Test(
        "Values without an end are left at their bound",
        arguments: [
            // Pointers to themselves and to each other, a pointer behind the end.
            [0x20, 0x00], [0x20, 0x02, 0x20, 0x00], [0x3F, 0xFF, 0xFF, 0xFF, 0xFF],
            // Maps and lists of 16 million members, one in the other.
            [0xFF, 0xFF, 0xFF, 0xFF], [UInt8](repeating: 0xFF, count: 400),
            [0xE1, 0x41, 0x61] + [UInt8](repeating: 0x1F, count: 100), [UInt8](repeating: 0xE1, count: 400),
            // A text that is longer than the file, and a map that ends behind a key.
            [0xE1, 0x5F, 0xFF, 0xFF, 0xFF], [0xE1, 0x47] + Array("country".utf8), [0xE1],
        ] as [[UInt8]])
    func endless(bytes: [UInt8]) throws {
        var database = CountryDatabases()
        database.data = bytes
        database.add("10.0.0.0/8", at: 0)
        database.add("20.0.0.0/8", .country("CH"))
        let read = try CountryDatabase(database.bytes)
        #expect(read.country(of: "10.0.0.1") == nil)
        #expect(read.country(of: "20.0.0.1")?.description == "CH")
    }
}
