import Testing
import Tributary

@Suite("Values at paths of keys")
struct KeyPathsSnippet {
    private let event: [String: Any] = ["userId": "u", "traits": ["email": "a@b.test", "name": "", "age": 36]]

    @Test("Key paths read and set values in dictionaries and in JSON, as text or JSONKeyPath")
    func paths() throws {
        let path: JSONKeyPath = "traits.age"
        #expect(event[keyPath: path] as? Int == 36)
        #expect(event[keyPath: "traits.email"] as? String == "a@b.test")
        #expect(event.exists(keyPath: "traits.email"))
        #expect(!event.exists(keyPath: "traits.phone"))
        var copy = event
        copy[keyPath: JSONKeyPath("address.city")] = "Graz"
        #expect(copy[keyPath: "address.city"] as? String == "Graz")
        var json = try JSON(event)
        let age: Int? = json.value(forKeyPath: path)
        #expect(age == 36)
        json.setValue("Wien", forKeyPath: JSONKeyPath("address.city"))
        let city: String? = json[keyPath: JSONKeyPath("address.city")]
        #expect(city == "Wien")
    }

    @Test("@path and @if in a mapping stand for values of the event")
    func references() {
        let mapping: [String: Any] = [
            "email": ["@path": "$.traits.email"],
            "name": [
                "@if": ["blank": ["@path": "$.traits.name"], "then": "nobody", "else": ["@path": "$.traits.name"]]
            ],
            "known": ["@if": ["exists": ["@path": "$.userId"], "then": true, "else": false]],
            "phone": ["@if": ["exists": ["@path": "$.traits.phone"], "then": true, "else": "none"]],
            "plain": ["key": "value"],
        ]
        #expect(mapping[keyPath: "email", reference: event] as? String == "a@b.test")
        #expect(mapping[keyPath: "name", reference: event] as? String == "nobody")
        #expect(mapping[keyPath: "known", reference: event] as? Bool == true)
        #expect(mapping[keyPath: "phone", reference: event] as? String == "none")
        #expect(mapping[keyPath: "plain.key", reference: event] as? String == "value")
        #expect(mapping[keyPath: "email", reference: nil] == nil)
        #expect(!mapping.exists(keyPath: "email", reference: ["traits": [:] as [String: Any]]))
    }

    @Test("mapTransform gives keys other names and lets code change values")
    func mapping() throws {
        let mapped = try event.mapTransform(["userId": "id", "traits": "user"]) { key, value in
            guard key == "age", let age = value as? Int else { return value }
            return age + 1
        }
        #expect(mapped["id"] as? String == "u")
        #expect(mapped[keyPath: "user.age"] as? Int == 37)
    }
}
