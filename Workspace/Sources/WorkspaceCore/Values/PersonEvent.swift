/// An event as questions about people see it: who did which of the events that were asked for, and when.
package struct PersonEvent: Sendable {
    /// Its number, which is the order of events of the same time.
    package let sequence: Int64
    /// When it happened, in milliseconds since 1970.
    package let time: Int64
    package let user: PersonKey?
    package let device: PersonKey?
    /// A bit for each kind that was asked for and that the event is of.
    package let kinds: UInt8
    /// The event as it is stored; empty unless it was asked for.
    package let text: [UInt8]

    package init(
        sequence: Int64, time: Int64, user: PersonKey?, device: PersonKey?, kinds: UInt8 = 0, text: [UInt8] = []
    ) {
        (self.sequence, self.time, self.user, self.device) = (sequence, time, user, device)
        (self.kinds, self.text) = (kinds, text)
    }
}
