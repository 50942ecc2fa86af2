import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Samples of health reports", .timeLimit(.minutes(30))) struct HealthSampleTests {
    @Test("A repeated report counts once, also in the next stage")
    func repeated() {
        var sample = HealthSample()
        for _ in 0..<3 { sample.add(DeviceHealth(events: 10, faulty: 1), of: "a", report: 7) }
        #expect(sample.devices == [DeviceHealth(events: 10, faulty: 1)])
        sample.add(DeviceHealth(events: 5), of: "a", report: 8)
        #expect(sample.devices == [DeviceHealth(events: 15, faulty: 1)])
        sample.beginStage(keepingSums: false)
        let isAdded = sample.add(DeviceHealth(events: 10, faulty: 1), of: "a", report: 7)
        #expect(!isAdded)
        #expect(sample.devices.isEmpty)
        #expect(sample.devicesInStage() == 0)
    }

    @Test("A device of an earlier stage counts once in the new stage")
    func betweenStages() {
        var sample = HealthSample()
        sample.add(DeviceHealth(events: 10), of: "a", report: 1)
        sample.beginStage(keepingSums: true)
        sample.add(DeviceHealth(events: 5), of: "a", report: 2)
        sample.add(DeviceHealth(events: 5), of: "b", report: 1)
        #expect(sample.devicesInStage() == 2)
        #expect(sample.devices.map(\.events).sorted() == [5, 15])
    }

    @Test("A report of an earlier stage that is counted late counts for the earlier stage only, and once")
    func late() {
        var (new, before) = (HealthSample(stage: 2), HealthSample(stage: 2))
        for _ in 0..<2 {
            new.add(DeviceHealth(events: 10), of: "a", report: 1, in: 1)
            before.add(DeviceHealth(events: 10), of: "a", report: 1, in: 1, keepingSums: true)
        }
        #expect(new.devices.isEmpty)
        #expect(before.devices.map(\.events) == [10])
        for sample in [new, before] { #expect(sample.devicesInStage() == 0) }
        new.add(DeviceHealth(events: 5), of: "a", report: 2, in: 2)
        before.add(DeviceHealth(events: 5), of: "a", report: 2, in: 2, keepingSums: true)
        #expect(new.devices.map(\.events) == [5])
        #expect(before.devices.map(\.events) == [15])
        for sample in [new, before] { #expect(sample.devicesInStage() == 1) }
    }

    @Test("Reports that are counted after the stage began give the sample of one who counted them before")
    func sameSample() {
        let reports: [(device: String, number: Int64, stage: Int, isEarly: Bool)] = [
            ("a", 1, 0, false), ("b", 1, 0, true), ("a", 2, 1, false), ("c", 1, 1, false), ("b", 2, 1, false),
            ("a", 3, 2, true),
        ]
        for isKept in [false, true] {
            var (early, late) = (HealthSample(), HealthSample(stage: 2))
            for report in reports {
                while early.stage < report.stage { early.beginStage(keepingSums: isKept) }
                early.add(DeviceHealth(events: 10), of: report.device, report: report.number, isEarly: report.isEarly)
                late.add(
                    DeviceHealth(events: 10), of: report.device, report: report.number, isEarly: report.isEarly,
                    in: report.stage, keepingSums: isKept)
            }
            #expect(early.devices.map(\.events).sorted() == late.devices.map(\.events).sorted())
            #expect(early.devicesInStage() == late.devicesInStage())
        }
    }

    @Test(
        "Early reports of faults count only with the next regular report"
    )
    func early() {
        var sample = HealthSample()
        sample.add(DeviceHealth(events: 3, faulty: 1), of: "a", report: 1, isEarly: true)
        #expect(sample.devices.isEmpty)
        #expect(sample.devicesInStage() == 0)
        sample.add(DeviceHealth(events: 57), of: "a", report: 2)
        #expect(sample.devices == [DeviceHealth(events: 60, faulty: 1)])
        #expect(sample.devicesInStage() == 1)
    }

    @Test("A sample has a fair part of all devices, and its size is limited")
    func bounded() {
        var sample = HealthSample()
        for number in 0..<20_000 {
            sample.add(DeviceHealth(events: 1, faulty: number % 4 == 0 ? 1 : 0), of: "d-\(number)", report: 1)
        }
        #expect(sample.devices.count == HealthSample.capacity)
        #expect((18_000...22_000).contains(sample.devicesInStage()))
        let faults = RolloutMeasure.faults.estimate(of: sample.devices).all
        #expect((0.2...0.3).contains(faults))
    }

    @Test("A device that goes over to the newer version counts for that version alone", arguments: [50, 20_000])
    func goesOver(count: Int) {
        var (new, before) = (HealthSample(), HealthSample())
        new.beginStage(keepingSums: false)
        before.beginStage(keepingSums: true)
        for number in 0..<count {
            before.add(DeviceHealth(events: 1), of: "d-\(number)", report: 1)
            // Two of five devices go over, and report about both versions.
            if number % 5 < 2 { new.add(DeviceHealth(events: 1), of: "d-\(number)", report: 2) }
        }
        let (all, kept) = (Double(count), before.devicesInStage(without: new))
        #expect((all * 0.9...all * 1.1).contains(before.devicesInStage()))
        #expect((all * 0.54...all * 0.66).contains(kept))
        // A device that has not reported about the newer version is not left out.
        #expect(before.devicesInStage(without: HealthSample()) == before.devicesInStage())
    }

    @Test("Impossible numbers are cut off and never overflow")
    func impossibleNumbers() {
        var health = DeviceHealth(events: -1, faulty: 5, dropped: .max, microseconds: .min)
        #expect(health == DeviceHealth(events: 0))
        for _ in 0..<5 { health.add(DeviceHealth(events: .max, faulty: .max, dropped: 3, microseconds: .max)) }
        #expect(health.faulty == health.events)
        #expect(health.dropped == 15)
    }

    @Test("The rate of honest devices is always within the range", arguments: UInt64(1)...60)
    func honestRange(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let count = Int.random(in: 5...120, using: &random)
        let liars = count / 5
        let honest = (liars..<count).map { _ in
            let weight = Double.random(in: 20...30, using: &random)
            return RateEstimate.Part(amount: weight * .random(in: 0...0.2, using: &random), weight: weight)
        }
        let lies = (0..<liars).map { _ in
            RateEstimate.Part(
                amount: [0, 1e12][Int.random(in: 0...1, using: &random)], weight: .random(in: 1...1e6, using: &random))
        }
        let rate = honest.reduce(0) { $0 + $1.amount } / honest.reduce(0) { $0 + $1.weight }
        let estimate = RateEstimate((honest + lies).shuffled(using: &random))
        #expect(estimate.range.contains(rate))
    }

    @Test("Plans that cannot be carried out are refused")
    func plans() {
        #expect(throws: Refusal.self) { try RolloutPlan(stages: [], hold: 0) }
        #expect(throws: Refusal.self) { try RolloutPlan(stages: [10, 50], hold: 0) }
        #expect(throws: Refusal.self) { try RolloutPlan(stages: [50, 10, 100], hold: 0) }
        #expect(throws: Refusal.self) { try RolloutPlan(stages: [0, 100], hold: 0) }
        #expect(throws: Refusal.self) { try RolloutPlan(stages: [100], hold: -1) }
        #expect(throws: Refusal.self) { try RolloutPlan(stages: [100], hold: 0, maximumFaultRate: .nan) }
        #expect(throws: Refusal.self) { try RolloutPlan(stages: [100], hold: 0, minimumDevices: 4) }
        #expect(throws: Never.self) { try RolloutPlan(stages: [100], hold: 0) }
    }
}
