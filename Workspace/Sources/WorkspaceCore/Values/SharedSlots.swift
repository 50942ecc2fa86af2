/// Places that all tokens share, such as those of streams: who has how many, and who gets another one.
///
/// A token with a name takes at most a quarter. All tokens that may only look take at most half, and all that may not
/// administer three quarters. So an administrator gets a place however many the others want.
package struct SharedSlots: Sendable, Equatable {
    /// Who takes a place.
    package struct Holder: Sendable, Hashable {
        /// The name of the token; nil for the admin token.
        package let token: String?
        package let role: Role

        package init(token: String?, role: Role) { (self.token, self.role) = (token, role) }

        package init(_ administrator: Administrator) { self.init(token: administrator.token, role: administrator.role) }

        /// The author of the request that is answered now.
        package static var current: Holder { Holder(.current) }
    }

    /// Why there is no place.
    package enum Full: Error, Sendable, Equatable {
        case allTaken(Int)
        case shareOfToken(String, Int)
        case shareOfRole(Role, Int)
    }

    package let count: Int
    private var taken: [Holder: Int] = [:]

    package init(_ count: Int) { self.count = count }

    var takenCount: Int { taken.values.reduce(0, +) }

    /// The places that all tokens of a role and of lower ones may take together.
    package static func share(of role: Role, of count: Int) -> Int {
        switch role {
        case .look: max(1, count / 2)
        case .deploy: max(1, count - max(1, count / 4))
        case .administer: count
        }
    }

    /// The places that one token may take; the admin token may take all.
    package static func share(ofToken token: String?, of count: Int) -> Int { token == nil ? count : max(1, count / 4) }

    /// Why a holder would get no place now; nil when there is one.
    package func refusal(of holder: Holder) -> Full? {
        guard takenCount < count else { return .allTaken(count) }
        if let token = holder.token {
            let share = Self.share(ofToken: token, of: count)
            let own = taken.lazy.filter { $0.key.token == token }.reduce(0) { $0 + $1.value }
            guard own < share else { return .shareOfToken(token, share) }
        }
        for role in Role.allCases where role >= holder.role && role < .administer {
            let share = Self.share(of: role, of: count)
            let all = taken.lazy.filter { $0.key.role <= role }.reduce(0) { $0 + $1.value }
            guard all < share else { return .shareOfRole(role, share) }
        }
        return nil
    }

    package mutating func take(_ holder: Holder) throws(Full) {
        if let refusal = refusal(of: holder) { throw refusal }
        taken[holder, default: 0] += 1
    }

    package mutating func leave(_ holder: Holder) {
        let rest = (taken[holder] ?? 0) - 1
        taken[holder] = rest > 0 ? rest : nil
    }
}

extension SharedSlots.Full {
    /// The answer to the request.
    /// - Parameter what: what the places are for, such as "streams".
    package func error(_ what: String) -> Refusal {
        switch self {
        case .allTaken(let count): .overloaded("there are \(count) \(what) now, which is the most; try again later")
        case .shareOfToken(let token, let share):
            .overloaded("the token \(token) has \(share) \(what) now, which is the most for one token; try again later")
        case .shareOfRole(let role, let share):
            .overloaded(
                "tokens with the role \(role) or less have \(share) \(what) now, which is the most for them; "
                    + "try again later")
        }
    }
}
