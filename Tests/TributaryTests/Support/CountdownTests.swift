import Testing

@testable import Tributary

@Suite("A countdown")
struct CountdownTests {
    @Test("A countdown calls back once, when its maker and all begun work have ended")
    func end() {
        var calls = 0
        let countdown = Countdown()
        countdown.whenOver { calls += 1 }
        countdown.hold()
        countdown.release()
        #expect(calls == 0 && !countdown.isOver)
        countdown.release()
        #expect(calls == 1 && countdown.isOver)
    }

    @Test("A countdown without begun work calls back when its maker lets go")
    func nothing() {
        var calls = 0
        let countdown = Countdown()
        countdown.whenOver { calls += 1 }
        countdown.release()
        #expect(calls == 1)
    }
}
