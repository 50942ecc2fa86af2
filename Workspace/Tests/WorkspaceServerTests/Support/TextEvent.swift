import TributaryJSON

@testable import WorkspaceCore

/// An event of which only the text, the time and the number are known, so that a count of people can be asked without the
/// columns of a storage.
struct TextEvent {
    let time: Int64
    let sequence: Int64
    let text: [UInt8]

    init(_ text: String, at time: Int64, sequence: Int64) {
        (self.time, self.sequence, self.text) = (time, sequence, Array(text.utf8))
    }

    init(_ row: StoredRow) throws {
        guard let time = row.times?.happened else { throw Refusal(.unsupported, "no time") }
        (self.time, sequence, text) = (time, row.sequence, row.body)
    }

    /// The type and the name.
    func kind() throws -> EventKind {
        let json = try JSON.parse(text)
        let type = json["type"]?.stringValue ?? ""
        let name = json[type == "track" ? "event" : "name"]?.stringValue
        return EventKind(type: EventType(rawValue: type), name: name)
    }

    /// The event as a count of these kinds sees it.
    func read(_ kinds: [EventKind]) throws -> PersonEvent {
        let json = try JSON.parse(text)
        let type = json["type"]?.stringValue ?? ""
        let name = json[type == "track" ? "event" : "name"]?.stringValue ?? ""
        let held = kinds.indices.reduce(UInt8(0)) { held, index in
            let kind = kinds[index]
            let isOne = (kind.type?.rawValue ?? type) == type && (kind.name ?? name).isSameText(as: name)
            return isOne ? held | 1 << index : held
        }
        func key(_ member: String, _ make: (UnsafeRawBufferPointer) -> PersonKey) -> PersonKey? {
            json[member]?.stringValue.map { Array($0.utf8).withUnsafeBytes(make) }
        }
        return PersonEvent(
            sequence: sequence, time: time, user: key("userId", PersonKey.user),
            device: key("anonymousId", PersonKey.device), kinds: held, text: text)
    }
}

extension PeopleCount {
    /// Looks into the text of each event, in the place of a storage.
    mutating func take(_ events: [TextEvent]) throws {
        let kindsOfEvents = try events.map { try $0.kind() }
        let events = try events.map { try $0.read(kinds) }
        for event in events where event.kinds != 0 { try take(event) }
        for event in events where event.user != nil && event.device != nil { note(event) }
        guard let times = followedTimes else { return }
        let people = try followed()
        for (event, kind) in zip(events, kindsOfEvents) where times.contains(event.time) {
            if let person = event.user ?? event.device, people.contains(person) { follow(event, kind) }
        }
    }
}
