package import Tributary

extension Analytics {
    /// One event of each type.
    package func trackAllTypes() {
        track(name: "A", properties: ["a": 1])
        identify(userId: "u-1", traits: ["plan": "pro"])
        screen(title: "Home", category: "Main")
        group(groupId: "g-1", traits: ["size": 3])
        alias(newId: "u-2")
    }
}
