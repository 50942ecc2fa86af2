/// Draws what client processes do and where they die.
///
/// All steps take turns, so that after some rounds each of them was the end of somebody.
struct Lifetimes {
    private var random: SeededGenerator
    private var waiting: [KillPoint] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The plan of one process of a round.
    mutating func next(_ plan: LifePlan, in kind: World.Kind) -> LifePlan {
        var plan = plan
        plan.seed = random.next()
        plan.threads = Int.random(in: 2...6, using: &random)
        plan.eventsPerThread = Int.random(in: 30...120, using: &random)
        plan.flushAt = [1, 5, 20, 100].randomElement(using: &random) ?? 20
        plan.servesMain = random.chance(50)
        // Every fourth dies at a moment of the driver's choice.
        plan.killPoint = random.chance(25) ? nil : nextPoint(in: kind)
        if plan.killPoint?.step.needsLargeEvents == true || kind == .smallDisk {
            plan.padding = 24_000
            plan.eventsPerThread = 200 / plan.threads
        }
        if kind == .faulty, random.chance(20) {
            let start = Int.random(in: 3...150, using: &random)
            plan.fullDisk = start..<start + Int.random(in: 1...60, using: &random)
        }
        return plan
    }

    /// Makes a round one in which the first process purges and the second outlives it.
    ///
    /// Only so it is known from outside what a purge takes: it gives up the queues of processes that have ended.
    mutating func addPurge(_ first: inout LifePlan, _ second: inout LifePlan) {
        first.purgeAfter = Int.random(in: 0..<first.eventsPerThread, using: &random)
        let moments: [StepSide] = [.before, .after]
        if first.killPoint == nil, let side = moments.randomElement(using: &random) {
            first.killPoint = KillPoint(step: .purge, side: side, nth: 1)
        }
        second.killPoint = nil
        second.endures = true
    }

    /// Whether a round is to have a purge.
    mutating func hasPurge(in kind: World.Kind) -> Bool { kind != .smallDisk && random.chance(20) }

    private mutating func nextPoint(in kind: World.Kind) -> KillPoint? {
        if kind == .silentSettings {
            let steps: [Step] = [.firstTrack, .firstTrack, .settingsRequested, .inboxAppended, .inboxSegmentBegun]
            return steps.randomElement(using: &random).map { point($0, $0 == .firstTrack ? .after : nil) }
        }
        if waiting.isEmpty {
            waiting = Step.allCases.flatMap { step in Self.moments(of: step).map { point(step, $0) } }
            waiting.shuffle(using: &random)
        }
        return waiting.popLast()
    }

    private mutating func point(_ step: Step, _ side: StepSide?) -> KillPoint {
        let drawn = side ?? Self.moments(of: step).randomElement(using: &random) ?? .before
        let count = step == .firstTrack ? 1 : Int.random(in: 1...step.usualCount, using: &random)
        return KillPoint(step: step, side: drawn, nth: count)
    }

    private static func moments(of step: Step) -> [StepSide] {
        switch step {
        case .firstTrack: [.after]
        case .purge: []
        default: step.canBeHalved ? StepSide.allCases : [.before, .after]
        }
    }

    /// Seconds after which the driver kills a process. One with a plan of its own comes to its end long before that.
    mutating func patience(for plan: LifePlan) -> Double {
        plan.killPoint == nil ? Double.random(in: 0.02...0.6, using: &random) : 20
    }
}
