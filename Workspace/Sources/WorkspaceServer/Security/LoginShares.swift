import Foundation
import WorkspaceCore

/// Chooses the login that ends when there are too many, so that logins with one token do not end those of others.
enum LoginShares {
    struct Login: Equatable {
        let digest: Data
        let holder: SharedSlots.Holder
        let usedAt: Int64
    }

    /// The login that has to end because another one was added; nil when there is room.
    ///
    /// A token that has more than its share loses its own login that was idle for the longest time, and so does a role. Without
    /// room for a further login, one of the same or a lower role ends.
    static func ended(by new: Login, among others: [Login], most: Int = Limits.logins) -> Data? {
        func idlest(_ isCandidate: (Login) -> Bool) -> Data? {
            others.filter(isCandidate).min { $0.usedAt < $1.usedAt }?.digest
        }
        let sameToken = { (other: Login) in other.holder.token == new.holder.token }
        if others.filter(sameToken).count >= SharedSlots.share(ofToken: new.holder.token, of: most) {
            return idlest(sameToken)
        }
        for role in Role.allCases where role >= new.holder.role {
            let isSharing = { (other: Login) in other.holder.role <= role }
            guard others.filter(isSharing).count >= SharedSlots.share(of: role, of: most) else { continue }
            return idlest { $0.holder.role <= new.holder.role } ?? idlest(isSharing)
        }
        return nil
    }
}
