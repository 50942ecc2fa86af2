/// Says which member has the turn, among a first that stays and others that come and go. Turns go round in the order in
/// which the members came.
struct TurnOrder<Member> {
    private let first: Member
    private var others: [Member] = []
    /// The index of the current member; 0 is the first member.
    private var next = 0

    init(_ first: Member) { self.first = first }

    var all: [Member] { [first] + others }
    var count: Int { others.count + 1 }
    /// The member that has the turn.
    var current: Member { next == 0 ? first : others[next - 1] }

    mutating func append(_ member: Member) { others.append(member) }

    /// Goes on to the next member.
    mutating func pass() { next = next < others.count ? next + 1 : 0 }

    /// Removes the current member; the next one gets the turn.
    /// - Returns: nil for the first member, which stays and passes its turn on.
    mutating func leave() -> Member? {
        guard next > 0 else {
            pass()
            return nil
        }
        let left = others.remove(at: next - 1)
        if next > others.count { next = 0 }
        return left
    }
}
