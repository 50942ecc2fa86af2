import Testing

@testable import Tributary

@Suite("Time between two requests for settings") struct SettingsPaceTests {
    @Test(
        "A server can shorten the time between settings requests down to a minute",
        arguments: [(300, 90, 90), (300, 60, 60), (300, 59, 60), (300, 0.001, 60), (120, 90, 90)])
    func shorter(own: Double, asked: Double, interval: Double) {
        #expect(SettingsPace.interval(own: own, asked: asked) == interval)
    }

    @Test(
        "A server cannot lengthen the time between settings requests, or start them for an app that asks only once",
        arguments: [(300, 301, 300), (300, 1e300, 300), (30, 60, 30), (30, 0.1, 30), (0, 60, 0)])
    func notLonger(own: Double, asked: Double, interval: Double) {
        #expect(SettingsPace.interval(own: own, asked: asked) == interval)
    }

    @Test("A senseless time in the settings changes nothing", arguments: [nil, 0, -1, -.infinity, .nan] as [Double?])
    func senseless(asked: Double?) { #expect(SettingsPace.interval(own: 300, asked: asked) == 300) }
}
