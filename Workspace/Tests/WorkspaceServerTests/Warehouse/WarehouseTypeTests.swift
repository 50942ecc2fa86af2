import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Types of columns") struct WarehouseTypeTests {
    typealias Kind = WarehouseValue.Kind

    private static let values: [(String, Kind, String)] = [
        ("true", .boolean, "true"), ("7", .integer, "7"), ("-0", .integer, "0"), ("7.0", .integer, "7"),
        ("1e3", .integer, "1000"),
        ("7.5", .double, "7.5"), ("42.10", .double, "42.10"), ("1e300", .double, "1e300"),
        ("9007199254740992", .integer, "9007199254740992"), ("9007199254740993", .longInteger, "9007199254740993"),
        ("9223372036854775807", .longInteger, "9223372036854775807"),
        ("9223372036854775808", .text, "9223372036854775808"),
        ("123456789012345678901234567890", .text, "123456789012345678901234567890"), ("1e999", .text, "1e999"),
        (#""text""#, .text, "text"), (#""""#, .text, ""), (#""7""#, .text, "7"),
        (#""a\u0000b""#, .text, "a\u{fffd}b"),
        (#""2026-11-24T10:00:00Z""#, .time, "2026-11-24T10:00:00Z"),
        (#""2026-11-24T10:00:00.123456+02:00""#, .time, "2026-11-24T10:00:00.123456+02:00"),
        (#""2026-11-24T10:00:00-0530""#, .time, "2026-11-24T10:00:00-0530"),
        (#""2026-11-24""#, .text, "2026-11-24"), (#""2026-02-30T10:00:00Z""#, .text, "2026-02-30T10:00:00Z"),
        (#""2026-11-24 10:00:00Z""#, .text, "2026-11-24 10:00:00Z"),
        (#""0000-01-01T00:00:00Z""#, .text, "0000-01-01T00:00:00Z"),
        (#""2026-11-24T10:00:00+20:00""#, .text, "2026-11-24T10:00:00+20:00"),
        (#"[1,"a\u0000"]"#, .text, "[1,\"a\u{fffd}\"]"), ("[]", .text, "[]"),
    ]

    @Test("The kind of a value follows from its JSON", arguments: values)
    func kinds(json: String, kind: Kind, text: String) throws {
        let value = try #require(WarehouseValue(try JSON.parse(json)))
        #expect(value.kind == kind)
        #expect(value.text == text)
    }

    @Test("Null and empty objects are no values", arguments: ["null", "{}"])
    func none(json: String) throws { #expect(WarehouseValue(try JSON.parse(json)) == nil) }

    private static let joins: [(WarehouseType?, [Kind], WarehouseType)] = [
        (nil, [.boolean], .boolean), (nil, [.integer], .bigint), (nil, [.longInteger, .integer], .bigint),
        (nil, [.integer, .double], .double), (nil, [.longInteger, .double], .text), (nil, [.time], .timestamp),
        (nil, [.time, .text], .text), (nil, [.boolean, .integer], .text), (.boolean, [.boolean], .boolean),
        (.boolean, [.integer], .text), (.boolean, [.text], .text), (.bigint, [.integer], .bigint),
        (.bigint, [.double], .double), (.bigint, [.boolean], .text), (.bigint, [.time], .text),
        (.double, [.integer], .double), (.double, [.longInteger], .text), (.double, [.text], .text),
        (.timestamp, [.time], .timestamp), (.timestamp, [.integer], .text), (.text, [.boolean], .text),
        (.text, [.integer, .time], .text),
    ]

    @Test("Types widen and never become narrower", arguments: joins)
    func joining(current: WarehouseType?, kinds: [Kind], type: WarehouseType) {
        #expect(WarehouseType.joined(current, Set(kinds)) == type)
        for kind in kinds { #expect(type.holds(kind)) }
        #expect(WarehouseType.joined(type, Set(kinds)) == type, "the same values change nothing")
    }
}
