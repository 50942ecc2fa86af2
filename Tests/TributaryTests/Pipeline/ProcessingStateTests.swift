import Testing

@testable import Tributary

@Suite("The state of processing")
struct ProcessingStateTests {
    private final class Object {}

    private func ready() -> ProcessingState {
        var state = ProcessingState()
        state.settingsCame(isSwitchedOff: false)
        _ = state.turned()
        return state
    }

    @Test("Processing begins once, when settings are known, plugins were added and no plugin asks to wait")
    func start() {
        let plugin = Object()
        var state = ProcessingState()
        #expect(state.blocker?.text == "settings are not known yet")
        #expect(state.begin() == false)
        state.settingsCame(isSwitchedOff: false)
        #expect(state.blocker?.text == "the app is still adding plugins")
        #expect(state.turned() == true)
        #expect(state.turned() == false)
        #expect(state.wait(for: ObjectIdentifier(plugin)) == 1)
        #expect(state.wait(for: ObjectIdentifier(plugin)) == nil)
        #expect(state.blocker?.text == "a plugin asked for time")
        #expect(state.begin() == false)
        #expect(state.stopWaiting(for: ObjectIdentifier(plugin)) == true)
        #expect(state.stopWaiting(for: ObjectIdentifier(plugin)) == false)
        #expect(state.blocker == nil && !state.mayProcess)
        #expect(state.begin() == true)
        #expect(state.mayProcess && state.hasBegun)
        #expect(state.begin() == false)
    }

    @Test("Settings that switch collection off stop processing, and later settings continue it without a second start")
    func switchedOff() {
        var state = ready()
        #expect(state.begin() == true)
        state.settingsCame(isSwitchedOff: true)
        #expect(!state.mayProcess)
        #expect(state.blocker?.text == "the settings switched collection off")
        state.settingsCame(isSwitchedOff: false)
        #expect(state.mayProcess)
        #expect(state.begin() == false)
    }

    @Test("A plugin that asks to wait during processing stops it until the plugin allows it again")
    func pause() {
        let plugin = Object()
        var state = ready()
        _ = state.begin()
        let first = state.wait(for: ObjectIdentifier(plugin))
        #expect(!state.mayProcess && state.hasBegun)
        _ = state.stopWaiting(for: ObjectIdentifier(plugin))
        #expect(state.mayProcess)
        // A second wait is another one.
        let second = state.wait(for: ObjectIdentifier(plugin))
        #expect(first.map { state.isWaiting(for: ObjectIdentifier(plugin), $0) } == false)
        #expect(second.map { state.isWaiting(for: ObjectIdentifier(plugin), $0) } == true)
    }

    @Test("The end of a client begins once and ends once, and no event is processed from its beginning on")
    func end() {
        var state = ready()
        _ = state.begin()
        #expect(state.settle() == true)
        #expect(state.isEnding && !state.isOver && !state.mayProcess)
        #expect(state.settle() == false)
        #expect(state.conclude() == true)
        #expect(state.isOver)
        #expect(state.conclude() == false)
        #expect(state.settle() == false)
    }

    @Test("A client that ends before its start never starts")
    func endBeforeStart() {
        var state = ready()
        #expect(state.conclude() == true)
        #expect(state.begin() == false)
        #expect(!state.mayProcess && !state.hasBegun)
    }
}
