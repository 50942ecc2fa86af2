import Testing
import TributaryJSON

@Suite struct JSONObjectTests {
    /// Below, at and above the number of members from which on keys are hashed.
    private static let sizes = [0, 1, 2, 15, 16, 17, 18, 40]

    private func object(_ count: Int) -> JSONObject {
        var object = JSONObject()
        for number in 0..<count { object["k\(number)"] = .number(JSONNumber(number)) }
        return object
    }

    @Test(arguments: sizes) func members_areFoundInOrder(count: Int) {
        let object = object(count)
        #expect(object.count == count)
        #expect(object.keys == (0..<count).map { "k\($0)" })
        for number in 0..<count { #expect(object["k\(number)"] == .number(JSONNumber(number))) }
        #expect(object["k\(count)"] == nil)
        #expect(object.map(\.value) == (0..<count).map { .number(JSONNumber($0)) })
    }

    @Test("Setting the value of a known key keeps the place of the member", arguments: sizes)
    func setting(count: Int) {
        var object = object(count)
        for number in 0..<count { object["k\(number)"] = "new" }
        #expect(object.keys == (0..<count).map { "k\($0)" })
        #expect(object.allSatisfy { $0.value == "new" })
    }

    @Test("After the removal of any member the others are found", arguments: sizes)
    func removing(count: Int) {
        for removed in 0..<count {
            var object = object(count)
            #expect(object.removeValue(forKey: "k\(removed)") == .number(JSONNumber(removed)))
            #expect(object.removeValue(forKey: "k\(removed)") == nil)
            #expect(object.keys == (0..<count).filter { $0 != removed }.map { "k\($0)" })
            for number in 0..<count where number != removed {
                #expect(object["k\(number)"] == .number(JSONNumber(number)))
            }
            object["k\(removed)"] = "back"
            #expect(object.last?.key == "k\(removed)")
        }
    }

    @Test("After the removal of several members the others are found", arguments: sizes)
    func removingAll(count: Int) {
        var object = object(count)
        object.removeAll { ($0.value.intValue ?? 0) % 3 != 0 }
        #expect(object.keys == stride(from: 0, to: count, by: 3).map { "k\($0)" })
        for number in 0..<count {
            #expect(object["k\(number)"] == (number % 3 == 0 ? .number(JSONNumber(number)) : nil))
        }
    }

    @Test(arguments: sizes.dropFirst(2)) func renaming_keepsPlaceAndValue(count: Int) {
        var object = object(count)
        object.rename("k1", to: "new")
        #expect(object.keys == (0..<count).map { $0 == 1 ? "new" : "k\($0)" })
        #expect(object["new"] == 1)
        #expect(object["k1"] == nil)
        object["k1"] = "again"
        #expect(object["new"] == 1)
        #expect(object["k1"] == "again")
        #expect(object.last?.key == "k1")
    }

    @Test("Renaming a member to a known key replaces the other member", arguments: sizes.dropFirst(2))
    func renamingToKnown(count: Int) {
        for (from, to) in [(0, 1), (1, 0), (count - 1, 0), (0, count - 1)] where from != to {
            var object = object(count)
            object.rename("k\(from)", to: "k\(to)")
            #expect(object.count == count - 1)
            #expect(object["k\(to)"] == .number(JSONNumber(from)))
            #expect(object["k\(from)"] == nil)
            for number in 0..<count where number != from && number != to {
                #expect(object["k\(number)"] == .number(JSONNumber(number)))
            }
        }
    }

    @Test("Renaming a missing key, or a key to itself, changes nothing", arguments: sizes)
    func renamingMissing(count: Int) {
        var renamed = object(count)
        renamed.rename("missing", to: "k0")
        renamed.rename("k0", to: "k0")
        #expect(renamed.keys == object(count).keys)
        #expect(renamed == object(count))
    }

    @Test(arguments: sizes.dropFirst(2)) func update_changesInPlace(count: Int) {
        var object = object(count)
        #expect(
            object.update("k1") { value -> Int in
                value = ["deep": value]
                return 7
            } == 7)
        #expect(object["k1"] == ["deep": 1])
        #expect(object.update("missing") { $0 = 1 } == nil)
        #expect(object.count == count)
    }

    @Test("Setting a key to nil removes the member, and setting it to null does not")
    func settingNil() {
        var object: JSONObject = ["a": 1, "b": .null]
        #expect(object["b"] == .some(.null))
        object["a"] = nil
        #expect(object.keys == ["b"])
    }

    @Test(arguments: sizes) func equality_ignoresOrder(count: Int) {
        let forward = object(count)
        var backward = JSONObject()
        for member in forward.reversed() { backward[member.key] = member.value }
        #expect(forward == backward)
        #expect(forward.hashValue == backward.hashValue)
        guard count > 0 else { return }
        backward["k0"] = "other"
        #expect(forward != backward)
        backward.rename("k0", to: "other")
        backward["other"] = 0
        #expect(forward != backward)
        backward["more"] = 0
        #expect(forward != backward)
    }

    @Test func copies_areIndependent() {
        let original = object(20)
        var copy = original
        copy["k3"] = nil
        copy["k4"] = "changed"
        #expect(original["k3"] == 3)
        #expect(original["k4"] == 4)
        #expect(copy["k19"] == 19)
    }

    @Test("An object literal keeps its order, and the last value of a repeated key")
    func literals() {
        let object: JSONObject = ["b": 1, "a": 2, "b": 3]
        #expect(object.keys == ["b", "a"])
        #expect(object["b"] == 3)
        #expect(JSON.object(["z": 1]) == ["z": 1])
    }

    @Test func dictionaries_areOrderedByKey() {
        #expect(JSONObject(["b": 1, "c": 2, "a": 3]).keys == ["a", "b", "c"])
        let many = Dictionary(uniqueKeysWithValues: (0..<30).map { ("k\($0)", JSON.null) })
        #expect(JSONObject(many).keys == many.keys.sorted())
        #expect(JSONObject(many)["k29"] == .some(.null))
    }

    /// Random changes, compared with a list that is searched from the start.
    @Test("After random changes an object has the members of a plain list with the same changes")
    func randomChanges() {
        var random = SplitMix64(seed: 42)
        var object = JSONObject()
        var list: [(String, JSON)] = []
        for step in 0..<4000 {
            let key = "k\(random.next() % 30)"
            switch random.next() % 4 {
            case 0, 1:
                let value = JSON.number(JSONNumber(step))
                object[key] = value
                if let place = list.firstIndex(where: { $0.0 == key }) {
                    list[place].1 = value
                } else {
                    list.append((key, value))
                }
            case 2:
                object[key] = nil
                list.removeAll { $0.0 == key }
            default:
                let newKey = "k\(random.next() % 30)"
                object.rename(key, to: newKey)
                if key != newKey, let value = list.first(where: { $0.0 == key })?.1 {
                    list.removeAll { $0.0 == newKey }
                    list = list.map { $0.0 == key ? (newKey, value) : $0 }
                }
            }
            #expect(object.keys == list.map(\.0))
            for (key, value) in list { #expect(object[key] == value) }
        }
    }

    @Test(
        "Differences are the members that were changed, added, removed or renamed, whatever their place",
        arguments: sizes)
    func differences(count: Int) {
        let old = object(count)
        #expect(object(count).differences(from: old).isEmpty)
        #expect(
            JSONObject(Dictionary(uniqueKeysWithValues: old.map { ($0.key, $0.value) })).differences(from: old).isEmpty)
        var new = old
        new["added"] = 1
        #expect(new.differences(from: old) == ["added"])
        #expect(old.differences(from: new) == ["added"])
        guard count > 1 else { return }
        new["k0"] = "changed"
        new.rename("k1", to: "renamed")
        #expect(Set(new.differences(from: old)) == ["k0", "k1", "renamed", "added"])
        // The keys look the same, and have other bytes.
        let (one, other): (JSONObject, JSONObject) = (["\u{e9}": 1], ["e\u{301}": 1])
        #expect(one.differences(from: other).map { Array($0.utf8) } == [Array("e\u{301}".utf8), Array("\u{e9}".utf8)])
    }
}
