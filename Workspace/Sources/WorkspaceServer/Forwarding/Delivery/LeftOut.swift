import WorkspaceCore

/// Why a destination does not get an event.
package enum LeftOut: Sendable, Equatable {
    /// The `integrations` of the event say so.
    case notNamed
    /// The device has sent it there itself.
    case sentByDevice
    /// This filter rule drops it.
    case filtered(String)
    /// The stored text cannot be read as an event.
    case unreadable
    /// The event is not stored any more.
    case gone
    /// The user has not allowed these categories.
    case refused([String])
    /// The event says nothing about consent, and the source's policy is `drop`.
    case unsaid
    /// The event says nothing about consent, and waits until an operator sends it.
    case held

    /// The reason for people.
    var text: String {
        switch self {
        case .notNamed: "left out: its integrations exclude the destination"
        case .sentByDevice: "left out: the device has sent it there"
        case .filtered(let rule): "left out: the filter “\(rule)” drops it"
        case .unreadable: "left out: the stored event cannot be read"
        case .gone: "left out: the event is not stored any more"
        case .refused(let categories): "held back: \(categories.joined(separator: ", ")) refused"
        case .unsaid: "held back: the event says nothing about consent"
        case .held: "held: the event says nothing about consent; `tributary destination release` sends it"
        }
    }
}
