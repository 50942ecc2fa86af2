import Foundation
import Testing

@testable import TributaryJSON

@Suite("Changing JSON")
struct JSONChangingTests {
    private let order: JSON = ["id": "o-1", "total": 42, "items": [["sku": "a"], ["sku": "b"]]]

    @Test("Members, values and elements can be added")
    func add() throws {
        let added = try order.add(value: ["plan": "pro"], forKey: "user").add(value: 43, forKey: "total")
        #expect(added["user"]?["plan"] == "pro" && added["total"] == 43)
        #expect(added.objectValue?.keys == ["id", "total", "items", "user"])
        #expect(order["user"] == nil)
        #expect(try JSON.array([1]).add(value: "x") == [1, "x"])
    }

    @Test("Members can be removed")
    func remove() throws {
        #expect(try order.remove(key: "items") == ["id": "o-1", "total": 42])
        #expect(try order.remove(key: "none") == order)
    }

    @Test("A change that is not possible throws an error with the reason")
    func errors() {
        struct NoJSON {}
        #expect(throws: JSONError.self) { try order.add(value: 1) }
        #expect(throws: JSONError.self) { try JSON.string("x").add(value: 1, forKey: "a") }
        #expect(throws: JSONError.self) { try JSON.array([]).remove(key: "a") }
        #expect(throws: JSONError.self) { try order.add(value: NoJSON(), forKey: "a") }
    }

    @Test("Values at paths can be read as types")
    func paths() {
        struct Device: Codable, Equatable { var id: String }
        var json: JSON = ["context": ["device": ["id": "d-1"]]]
        #expect(json.value(forKeyPath: "context.device") == Device(id: "d-1"))
        #expect(json.value(forKeyPath: "context.device.id") == Optional<Int>.none)
        let id: String? = json[keyPath: "context.device.id"]
        #expect(id == "d-1")
        let isSet = json.setValue(Device(id: "d-2"), forKeyPath: "context.other")
        #expect(isSet)
        #expect(json["context"]?["other"] == ["id": "d-2"])
        json.setValue(Optional<Int>.none, forKeyPath: "context.device")
        #expect(json["context"]?["device"] == nil)
        #expect(json["context"]?["other"] != nil)
        json[keyPath: "context.count"] = 3
        #expect(json == ["context": ["other": ["id": "d-2"], "count": 3]])
    }

    @Test("Numbers keep all of their digits")
    func numbers() throws {
        #expect(try JSON.parse("0.1000000000000000000001").decimalValue?.description == "0.1000000000000000000001")
        #expect(try JSON.parse("18446744073709551615").uintValue == UInt.max)
        #expect(JSON.number(JSONNumber(-1)).uintValue == nil)
        #expect((1.5 as JSON).floatValue == 1.5)
        #expect((true as JSON).decimalValue == nil)
    }
}
