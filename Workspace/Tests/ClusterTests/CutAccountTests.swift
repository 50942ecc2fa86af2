import ClusterTestKit
import Testing

@Suite("The answers to clients while a machine is cut off") struct CutAccountTests {
    private func account(
        wasUp: Bool = true, _ answers: (CutAccount.Answer, node: Int, sent: Int)...
    ) -> CutAccount {
        var account = CutAccount(machine: 1, wasUp: wasUp, at: 1_000)
        for (answer, node, sent) in answers { account.hear(answer, from: node, sent: sent) }
        return account
    }

    @Test("A minority that refuses and a majority that acknowledges are right") func right() {
        let account = account((.refused, 1, 1_000), (.other, 1, 1_500), (.acknowledged, 0, 1_200), (.refused, 2, 1_300))
        #expect(account.faults == [])
        #expect(
            account.summary
                == "while machine 1 was cut off, its node refused 1 requests and acknowledged 0; the others acknowledged 1"
        )
    }

    @Test("A minority that acknowledges is wrong, also when it refuses as well") func alone() {
        let account = account((.refused, 1, 1_000), (.acknowledged, 1, 1_001), (.acknowledged, 0, 1_200))
        #expect(account.faults == ["node 1 acknowledged 1 requests alone"])
    }

    @Test("A request that was sent before the cut says nothing") func early() {
        let account = account((.acknowledged, 1, 999), (.refused, 1, 999), (.acknowledged, 0, 999))
        #expect(account.acknowledgedThere == 0)
        #expect(account.faults == ["node 1 refused no request", "the other nodes acknowledged no request"])
    }

    @Test("A minority that does not answer is wrong") func silent() {
        let account = account((.other, 1, 1_100), (.acknowledged, 2, 1_200))
        #expect(account.faults == ["node 1 refused no request"])
    }

    @Test("A node that had not started yet need not answer, and must not acknowledge") func starting() {
        #expect(account(wasUp: false, (.other, 1, 1_100), (.acknowledged, 2, 1_200)).faults == [])
        let alone = account(wasUp: false, (.acknowledged, 1, 1_100), (.acknowledged, 2, 1_200))
        #expect(alone.faults == ["node 1 acknowledged 1 requests alone"])
    }
}
