import Synchronization
package import TributaryJSON

/// Counts the members of groups, or lists those of one group, by the group events.
///
/// A member is who sent a group event with the id of the group, also when a later one names another group. It looks at all group
/// events, which an index finds, newest first.
package struct GroupSearch: SteppingSearch {
    private var days: DayScan
    private let found: Found

    /// The result so far.
    private final class Found: Sendable {
        let groups: Mutex<FoundGroups>

        init(_ groups: FoundGroups) { self.groups = Mutex(groups) }
    }

    /// - Parameters:
    ///   - group: the group of which the members are listed; nil to list groups.
    ///   - text: a part of the id or the traits of a group; nil for all groups.
    ///   - query: the group events of the source; its times are set here.
    package init(
        group: String?, text: String?, on days: ClosedRange<Day>, _ query: RowQuery, storage: any EventStorage,
        scans: Scans
    ) async throws {
        self.days = try await DayScan(query, days: days, storage: storage, scans: scans)
        found = Found(FoundGroups(group: group, text: text))
    }

    package mutating func step() async throws -> Bool {
        try await days.step { [found] rows in
            try found.groups.withLock { groups in
                for row in rows { try groups.take(row.body, at: row.times?.received ?? 0) }
            }
        }
    }

    package var progress: JSON { days.progress(looked: found.groups.withLock { $0.looked }) }

    package func part(limit: Int) -> JSON? { nil }

    package func result(limit: Int) -> JSON { found.groups.withLock { $0.json(limit: limit) } }
}

/// The groups that a search has found. A value that takes group events, newest first.
struct FoundGroups {
    private struct Group {
        let traits: JSON
        let seenAt: Int64
        var members: Set<ExactText> = []
    }

    private let group: String?
    private let text: String?
    private var groups: [ExactText: Group] = [:]
    private var members: [JSON] = []
    private var memberships = 0
    private(set) var looked = 0

    init(group: String?, text: String?) { (self.group, self.text) = (group, text?.lowercased()) }

    /// - Throws: `Refusal` when there are more members than fit into memory.
    mutating func take(_ event: [UInt8], at receivedAt: Int64) throws(Refusal) {
        looked += 1
        guard let event = try? JSON.parse(event), let id = event["groupId"]?.stringValue, !id.isEmpty else { return }
        if let group, !group.isSameText(as: id) { return }
        let (user, device) = (event["userId"]?.stringValue ?? "", event["anonymousId"]?.stringValue ?? "")
        let key = ExactText(id)
        var known = groups[key] ?? Group(traits: event["traits"] ?? [:], seenAt: receivedAt)
        guard known.members.insert(ExactText(user.isEmpty ? "d" + device : "u" + user)).inserted else { return }
        memberships += 1
        guard memberships <= Limits.groupMembers else {
            throw .invalid(
                "the groups have more than \(Limits.groupMembers) members; choose fewer days with since and until")
        }
        groups[key] = known
        if group != nil {
            members.append([
                "userId": user.isEmpty ? .null : .string(user), "anonymousId": device.isEmpty ? .null : .string(device),
                "seenAt": .time(receivedAt),
            ])
        }
    }

    func json(limit: Int) -> JSON {
        if let group {
            return [
                "groupId": .string(group), "traits": groups[ExactText(group)]?.traits ?? [:],
                "count": .number(members.count),
                "members": .array(Array(members.prefix(limit))), "isCut": .bool(members.count > limit),
                "looked": .number(looked),
            ]
        }
        let found = groups.filter { id, group in
            guard let text else { return true }
            return id.text.lowercased().contains(text)
                || String(decoding: group.traits.encoded(), as: UTF8.self).lowercased().contains(text)
        }
        let sorted = found.sorted { ($1.value.members.count, $0.key.text) < ($0.value.members.count, $1.key.text) }
        return [
            "groups": .array(
                sorted.prefix(limit).map { id, group in
                    [
                        "groupId": .string(id.text), "traits": group.traits, "members": .number(group.members.count),
                        "seenAt": .time(group.seenAt),
                    ]
                }), "count": .number(found.count), "isCut": .bool(found.count > limit), "looked": .number(looked),
        ]
    }
}
