import Testing
import TributaryJSON

@testable import Tributary

@Suite("Held requests for settings") struct SettingsHoldTests {
    private func seconds(_ json: JSON) -> Double? {
        SettingsHold.seconds(of: Settings(document: ["settingsPush": json]))
    }

    @Test("A request is held only where the settings say so, for a time within bounds")
    func asked() {
        #expect(seconds(["seconds": 45]) == 45)
        #expect(seconds(["seconds": 0.1]) == 5)
        #expect(seconds(["seconds": 1e300]) == 300)
        for nonsense in [["seconds": 0], ["seconds": -1], ["seconds": "45"], [:], true, 45, .null] as [JSON] {
            #expect(seconds(nonsense) == nil, "\(nonsense)")
        }
        #expect(SettingsHold.seconds(of: Settings()) == nil)
        #expect(SettingsHold.seconds(of: nil) == nil)
    }

    @Test("After a request that was held, the next one follows at once, and after a change within a second")
    func held() {
        var hold = SettingsHold()
        #expect(hold.pause(after: .unchanged, in: 45, of: 45, chance: 0.5) == 0)
        #expect(hold.isWorking)
        #expect(hold.pause(after: .changed, in: 30, of: 45, chance: 0.75) == 0.75)
        #expect(hold.pause(after: .unchanged, in: 22.5, of: 45, chance: 0.5) == 0)
    }

    @Test("Answers that come at once make longer and longer pauses, whatever they say")
    func early() {
        for ending in [SettingsHold.Ending.changed, .unchanged] {
            var hold = SettingsHold()
            let pauses = (0..<9).map { _ in hold.pause(after: ending, in: 0.1, of: 45, chance: 0.5) }
            #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300])
            #expect(hold.isWorking == (ending == .changed))
        }
    }

    @Test("Failures make longer and longer pauses, also when they come late, as from a proxy with a time limit")
    func failing() {
        var hold = SettingsHold()
        #expect(hold.pause(after: .failed, in: 30, of: 45, chance: 0) == 2.5)
        #expect(hold.pause(after: .failed, in: 60, of: 45, chance: 0.5) == 10)
        #expect(!hold.isWorking)
        #expect(hold.pause(after: .unchanged, in: 45, of: 45, chance: 0) == 0)
        #expect(hold.pause(after: .failed, in: 0, of: 45, chance: 0.5) == 5)
    }

    @Test("Any order of answers makes at most a request for each half of the time that is held, after a few")
    func randomly() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var hold = SettingsHold()
            var time = 0.0
            var requests = 0
            while time < 3600 {
                let ending =
                    [SettingsHold.Ending.changed, .unchanged, .failed].randomElement(using: &generator) ?? .failed
                let took = Bool.random(using: &generator) ? 0 : Double.random(in: 0...46, using: &generator)
                let chance = Double.random(in: 0..<1, using: &generator)
                time += took + hold.pause(after: ending, in: took, of: 45, chance: chance)
                requests += 1
            }
            // A pause of less than two and a half seconds only follows a request that lasted half of its time.
            #expect(requests < 1_440)
        }
    }
}
