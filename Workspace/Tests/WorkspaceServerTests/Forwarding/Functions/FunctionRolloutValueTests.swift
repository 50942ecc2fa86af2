import Crypto
import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Decisions of a roll-out of a destination function") struct FunctionRolloutValueTests {
    private typealias Count = FunctionTries.Count

    private let plan: FunctionRolloutPlan

    init() throws { plan = try FunctionRolloutPlan(stages: [10, 50, 100], hold: 60_000) }

    private static func partition(_ user: Int) -> ForwardedEvent.Partition {
        ForwardedEvent.Partition(digest: Data(SHA256.hash(data: Data("user-\(user)".utf8))))
    }

    /// The decision after a minute.
    private func decide(new: Count, before: Count = Count(accepted: 10_000), held: Int64 = 60_000)
        -> FunctionRolloutDecision
    {
        var progress = RolloutProgress(start: 0)
        progress.look(at: held)
        return FunctionRolloutDecision(
            plan: plan, progress: progress, tries: FunctionTries(new: new, before: before))
    }

    @Test("Few events decide nothing, however bad they are")
    func few() {
        #expect(decide(new: Count(refused: 99)) == .wait(.tooFewEvents(99, of: 100)))
        #expect(decide(new: Count()) == .wait(.tooFewEvents(0, of: 100)))
    }

    @Test("Settings as good as those before go to the next stage when it has lasted long enough")
    func good() {
        #expect(decide(new: Count(accepted: 100)) == .advance(to: 50))
        #expect(decide(new: Count(accepted: 100), held: 20_000) == .wait(.holding(rest: 40_000)))
        // A service that refuses as much by the settings before says nothing about the new ones.
        #expect(
            decide(new: Count(accepted: 700, refused: 300), before: Count(accepted: 7_000, refused: 3_000))
                == .advance(to: 50))
    }

    @Test(
        "Settings by which more events are refused are taken back, also before the stage has lasted long enough",
        arguments: [(0, 100), (80, 20), (950, 50)])
    func worse(accepted: Int64, refused: Int64) {
        guard case .rollBack(let reason) = decide(new: Count(accepted: accepted, refused: refused), held: 0) else {
            Issue.record("\(decide(new: Count(accepted: accepted, refused: refused)))")
            return
        }
        #expect(reason.text.hasSuffix("events are refused, by the version before 0.0 %"))
    }

    @Test("A few refused events may be chance, so the stage waits for more")
    func chance() {
        guard case .wait(.doubt) = decide(new: Count(accepted: 98, refused: 2)) else {
            Issue.record("\(decide(new: Count(accepted: 98, refused: 2)))")
            return
        }
        #expect(decide(new: Count(accepted: 998, refused: 2)) == .advance(to: 50))
    }

    @Test("Settings that are as good as before are never taken back by chance", arguments: UInt64(1)...200)
    func neverByChance(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        var (new, before) = (Count(), Count())
        for _ in 0..<2_000 {
            let isRefused = Double.random(in: 0..<1, using: &random) < 0.02
            if Int.random(in: 0..<10, using: &random) == 0 {
                new += isRefused ? Count(refused: 1) : Count(accepted: 1)
            } else {
                before += isRefused ? Count(refused: 1) : Count(accepted: 1)
            }
            if case .rollBack(let reason) = decide(new: new, before: before) {
                Issue.record("\(new), \(before): \(reason.text)")
                return
            }
        }
    }

    @Test("The same users are in a share each time, and in each larger one")
    func share() {
        let users = (0..<10_000).map(Self.partition)
        for (small, large) in [(1, 10), (10, 50), (50, 99), (99, 100)] {
            let (few, many) = (PartitionShare(percentage: small), PartitionShare(percentage: large))
            let count = users.count(where: few.contains)
            #expect(((small - 1) * 90...(small + 1) * 110).contains(count))
            #expect(users.filter(few.contains).allSatisfy(many.contains))
        }
        #expect(users.allSatisfy(PartitionShare(percentage: 100).contains))
        #expect(!users.contains(where: PartitionShare(percentage: 0).contains))
    }

    @Test("A roll-out is stored and read as it was, and leaves the settings before out when it is over")
    func stored() throws {
        var rollout = FunctionRollout(version: 4, previous: 3, before: ["code": "a"], plan: plan, now: 5)
        _ = rollout.look(at: 30_000, FunctionTries(new: Count(accepted: 1)))
        #expect(FunctionRollout(rollout.json, before: ["code": "a"]) == rollout)
        #expect(rollout.split == FunctionRollout.Split(share: PartitionShare(percentage: 10), before: ["code": "a"]))
        rollout.carryOut(.advance(to: 50))
        rollout.pause()
        #expect(FunctionRollout(rollout.json, before: rollout.before) == rollout)
        #expect(rollout.percentage == 50)
        #expect(rollout.look(at: 90_000, FunctionTries(new: Count(accepted: 1_000))) == nil)
        rollout.resume(at: 90_000)
        rollout.carryOut(.rollBack(.healthy), because: "an operator went back")
        #expect(rollout.state == .ended)
        #expect(rollout.split == nil)
        #expect(rollout.before.isEmpty)
        #expect(FunctionRollout(rollout.json, before: [:]) == rollout)
        #expect(FunctionRollout(["version": 1] as JSON, before: [:]) == nil)
    }

    @Test(
        "Plans that cannot be carried out are refused",
        arguments: [
            [], ["stages": []], ["stages": [10, 50]], ["stages": [50, 10, 100]], ["stages": [0, 100]],
            ["stages": ["10", 100]], ["stages": [100], "holdSeconds": -1], ["stages": [100], "holdSeconds": 1e12],
            ["stages": [100], "minimumEvents": 0], ["stages": [100], "maximumRefusals": 2],
            ["stages": [100], "minimumDevices": 5],
        ] as [JSON])
    func plans(json: JSON) {
        #expect(throws: Refusal.self) { try FunctionRolloutPlan(json) }
    }
}
