/// The users of devices: an event without a user belongs to the user that an event with both ids names for its device.
/// When there are several, it belongs to the one named last.
struct DeviceOwners: Sendable {
    private struct Owner: Sendable {
        let user: PersonKey
        let time: Int64
        let sequence: Int64
    }

    private let most: Int
    /// Devices of events without a user; nil as long as a device has no known user.
    private var owners: [PersonKey: Owner?] = [:]

    /// - Parameter most: how many devices there may be.
    init(most: Int) { self.most = most }

    /// The devices of events without a user.
    var devices: Set<PersonKey> { Set(owners.keys) }

    /// The person of an event, until the user of its device is known. Notes the device of an event without a user.
    mutating func person(of event: PersonEvent) throws(Refusal) -> PersonKey? {
        guard event.user == nil, let device = event.device else { return event.user }
        if owners[device] == nil {
            guard owners.count < most else {
                throw .invalid("the events are of more than \(most) devices without a user; ask for fewer days")
            }
            owners[device] = .some(nil)
        }
        return device
    }

    /// Notes the user of a device, when it is wanted.
    mutating func note(_ event: PersonEvent) {
        guard let user = event.user, let device = event.device, let known = owners[device] else { return }
        if let known, (known.time, known.sequence) >= (event.time, event.sequence) { return }
        owners[device] = Owner(user: user, time: event.time, sequence: event.sequence)
    }

    /// The devices without a user of their own that belong to one of these users.
    func devices(of users: Set<PersonKey>) -> [PersonKey] {
        owners.compactMap { device, owner in owner.flatMap { users.contains($0.user) ? device : nil } }
    }

    /// The user of a device; the person itself when it is none, or has no user.
    func owner(of person: PersonKey) -> PersonKey { (owners[person] ?? nil)?.user ?? person }
}
