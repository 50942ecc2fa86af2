import TributaryJSON

extension JSONObject {
    /// An object of members in that order.
    init(members: some Sequence<(String, JSON)>) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}
