/// Whose turn it is among a first member, which stays, and others that come and go: one after the other, in the order in
/// which they came.
struct TurnOrder<Member> {
    private let first: Member
    private var others: [Member] = []
    /// 0 is the first member.
    private var next = 0

    init(_ first: Member) { self.first = first }

    var all: [Member] { [first] + others }
    var count: Int { others.count + 1 }
    /// Whose turn it is.
    var current: Member { next == 0 ? first : others[next - 1] }

    mutating func append(_ member: Member) { others.append(member) }

    /// Goes on to the next member.
    mutating func pass() { next = next < others.count ? next + 1 : 0 }

    /// Takes the member out whose turn it is; the next one has its turn.
    /// - Returns: nil for the first one, which stays and passes its turn on.
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
