import Testing
import TributaryJSON

@testable import WorkspaceCore

@Suite("How far a stop on devices has come") struct StopReachTests {
    private static let start: Int64 = 1_000_000_000

    /// A device that reported so many seconds before the stop, and looks each five minutes.
    private static func device(_ seconds: Int64, heard: Int64 = 0, interval: Int64 = 300) -> StopReach.Device {
        StopReach.Device(
            reportedAt: start - seconds * 1000, heard: HeardSettings(stop: heard, interval: interval))
    }

    private static func reach(_ devices: [StopReach.Device], after seconds: Int64 = 0) -> StopReach {
        StopReach(of: devices, number: 3, startedAt: start, now: start + seconds * 1000, cacheSeconds: 0)
    }

    @Test("A device that said the number of the stop, or of a later one, has heard of it") func confirmed() {
        let reach = Self.reach(
            [Self.device(-5, heard: 3), Self.device(-5, heard: 4), Self.device(0, heard: 2)], after: 10)
        #expect(reach.confirmed == 2)
        #expect(reach.expected == 1)
        #expect(reach.forecasts == [50: .reached, 90: .at(Self.start + 300_000), 99: .at(Self.start + 300_000)])
    }

    @Test("A device looks at its interval since its last report, and the shares follow from that") func foretold() {
        // They look 3, 6, … 300 seconds after the stop.
        let devices = (1...100).map { Self.device(300 - Int64($0) * 3) }
        let reach = Self.reach(devices)
        #expect(reach.expected == 100)
        #expect(
            reach.forecasts == [
                50: .at(Self.start + 150_000), 90: .at(Self.start + 270_000), 99: .at(Self.start + 297_000),
            ])
    }

    @Test("The time of a last report that is long ago says when the device looks, as long as it does") func long() {
        let reach = Self.reach([Self.device(3_010)])
        #expect(reach.forecasts[99] == .at(Self.start + 290_000))
    }

    @Test("A report after the stop that does not know it makes the device look one interval later") func cached() {
        let reach = Self.reach([Self.device(-20)], after: 30)
        #expect(reach.forecasts[50] == .at(Self.start + 320_000))
    }

    @Test("A device with a held request hears of a stop within seconds, and is silent soon when it does not")
    func held() {
        let devices = (0..<100).map { Self.device($0 * 36, interval: 5) }
        #expect(
            Self.reach(devices).forecasts == [
                50: .at(Self.start + 3_000), 90: .at(Self.start + 5_000), 99: .at(Self.start + 5_000),
            ])
        #expect(Self.reach(devices, after: 60).silent == 100)
    }

    @Test("Caches keep settings for a while") func caches() {
        let reach = StopReach(
            of: [Self.device(0)], number: 3, startedAt: Self.start, now: Self.start, cacheSeconds: 10)
        #expect(reach.forecasts[50] == .at(Self.start + 310_000))
    }

    @Test("A device that should have looked and was not heard of is silent, and no time is foretold for it")
    func silent() {
        let devices =
            (0..<88).map { Self.device(-Int64($0) - 1, heard: 3) } + (0..<12).map { Self.device(Int64($0) * 60) }
        let reach = Self.reach(devices, after: 3_600)
        #expect(reach.confirmed == 88)
        #expect(reach.silent == 12)
        #expect(reach.forecasts == [50: .reached, 90: .unknown, 99: .unknown])
    }

    @Test("A device is late for half an interval before it is silent") func late() {
        #expect(Self.reach([Self.device(0)], after: 449).expected == 1)
        #expect(Self.reach([Self.device(0)], after: 449).forecasts[50] == .at(Self.start + 449_000))
        #expect(Self.reach([Self.device(0)], after: 451).silent == 1)
        #expect(Self.reach([Self.device(0, interval: 10)], after: 39).expected == 1)
    }

    @Test("A client that looks only at its start, or does not say what it heard, is foretold nothing") func others() {
        let reach = Self.reach([
            Self.device(5, interval: 0), StopReach.Device(reportedAt: Self.start, heard: nil),
        ])
        #expect(reach.silent == 1)
        #expect(reach.unable == 1)
        #expect(reach.able == 1)
        #expect(reach.forecasts[50] == .unknown)
        #expect(Self.reach([]).forecasts == [50: .unknown, 90: .unknown, 99: .unknown])
    }

    @Test("Impossible intervals and numbers of reports are reduced") func hostile() {
        #expect(HeardSettings(["stop": -5, "interval": -1]) == HeardSettings(stop: 0, interval: 0))
        #expect(HeardSettings(["interval": 9_223_372_036_854_775_807])?.interval == Int64(30 * 86_400))
        #expect(HeardSettings(["stop": "x"]) == HeardSettings(stop: 0, interval: 0))
        #expect(HeardSettings(nil) == nil && HeardSettings(.null) == nil && HeardSettings([]) == nil)
        let reach = Self.reach([StopReach.Device(reportedAt: 0, heard: HeardSettings(stop: 0, interval: .max))])
        #expect(reach.able == 1)
    }

    @Test("The estimate fits a fleet of 400 devices that is simulated: 99 % heard by the time that was foretold")
    func fleet() {
        var random = SystemRandomNumberGenerator()
        let devices = (0..<400).map { _ in Self.device(Int64.random(in: 0..<7_200, using: &random)) }
        guard case .at(let foretold)? = Self.reach(devices).forecasts[99] else {
            Issue.record("nothing was foretold")
            return
        }
        // Each device looks at its interval since its report.
        let heard = devices.count { device in
            let phase = (Self.start - device.reportedAt) % 300_000
            return Self.start + 300_000 - phase <= foretold
        }
        #expect(heard >= 396)
    }
}
