import Testing
import TributaryJSON

@Suite struct JSONTests {
    @Test("Each accessor is nil for values of another kind")
    func accessors() {
        let all: [JSON] = [.null, true, 1, "s", [1], ["a": 1]]
        #expect(all.map(\.isNull) == [true, false, false, false, false, false])
        #expect(all.map(\.boolValue) == [nil, true, nil, nil, nil, nil])
        #expect(all.map(\.intValue) == [nil, nil, 1, nil, nil, nil])
        #expect(all.map(\.doubleValue) == [nil, nil, 1, nil, nil, nil])
        #expect(all.map(\.numberValue) == [nil, nil, JSONNumber(1), nil, nil, nil])
        #expect(all.map(\.stringValue) == [nil, nil, nil, "s", nil, nil])
        #expect(all.map(\.elements) == [nil, nil, nil, nil, [1], nil])
        #expect(all.map(\.objectValue) == [nil, nil, nil, nil, nil, ["a": 1]])
    }

    @Test("Swift literals become JSON values")
    func literals() {
        #expect(JSON.number(JSONNumber(Int64.min)) == -9_223_372_036_854_775_808)
        #expect(JSON(floatLiteral: .infinity) == .null)
        #expect((["a": [1, 2.5, "x", true, .null]] as JSON).description == #"{"a":[1,2.5,"x",true,null]}"#)
    }

    @Test("A key reads, sets and removes a member")
    func keys() {
        var json: JSON = ["a": 1]
        json["b"] = ["c": 2]
        json["b"]?["c"] = 3
        json["a"] = nil
        #expect(json == ["b": ["c": 3]])
        #expect(json["x"] == nil)
        #expect(json["b"]?["c"] == 3)
        #expect(JSON.string("s")["a"] == nil)
    }

    @Test("Setting a key of a text makes an object, and removing a key leaves the text")
    func keysOfText() {
        var json: JSON = "text"
        json["a"] = nil
        #expect(json == "text")
        json["a"] = 1
        #expect(json == ["a": 1])
    }

    @Test func indexes_readElements() {
        let json: JSON = ["a", "b"]
        #expect(json[0] == "a")
        #expect(json[1] == "b")
        #expect(json[2] == nil)
        #expect(json[-1] == nil)
        #expect((["a": 1] as JSON)[0] == nil)
    }

    @Test("Values of different kinds are not equal")
    func kinds() {
        let all: [JSON] = [.null, false, 0, "", [], [:], true, 1, "1", [.null]]
        for (place, value) in all.enumerated() {
            #expect(all.firstIndex(of: value) == place)
        }
        #expect(Set(all).count == all.count)
    }
}
