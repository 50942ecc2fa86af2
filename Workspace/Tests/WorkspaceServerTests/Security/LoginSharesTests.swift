import Foundation
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct LoginSharesTests {
    private func login(_ number: Int, _ token: String?, _ role: Role) -> LoginShares.Login {
        LoginShares.Login(
            digest: Data("\(number)".utf8), holder: SharedSlots.Holder(token: token, role: role), usedAt: Int64(number)
        )
    }

    @Test("A token with too many logins loses its own oldest one")
    func ofToken() {
        let others = [login(0, nil, .administer)] + (1...10).map { login($0, "a", .look) }
        #expect(LoginShares.ended(by: login(11, "a", .look), among: others, most: 40) == Data("1".utf8))
        #expect(LoginShares.ended(by: login(11, "b", .look), among: others, most: 40) == nil)
    }

    @Test("Logins that may only look never end the login of an administrator")
    func ofRole() {
        var logins = [login(0, nil, .administer), login(1, "d", .deploy)]
        for number in 2..<1_000 {
            let new = login(number, "t\(number % 200)", .look)
            let ended = LoginShares.ended(by: new, among: logins, most: 40)
            logins.removeAll { $0.digest == ended }
            logins.append(new)
        }
        #expect(logins.count == 22)
        #expect(logins.prefix(2).map(\.holder.role) == [.administer, .deploy])
    }

    @Test("When all places are taken, the login that was idle for the longest time ends")
    func full() {
        let others = (0..<4).map { login($0, nil, .administer) }
        #expect(LoginShares.ended(by: login(4, nil, .administer), among: others, most: 4) == Data("0".utf8))
        #expect(LoginShares.ended(by: login(4, "a", .look), among: others, most: 4) == Data("0".utf8))
    }
}
