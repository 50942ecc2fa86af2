/// How far two counts grew in the last minutes. The counts themselves only grow, unless something was deleted.
package struct CountWindow: Sendable {
    package struct Counts: Sendable, Equatable {
        package var bad: Int64
        package var all: Int64

        package init(bad: Int64, all: Int64) { (self.bad, self.all) = (bad, all) }
    }

    private struct Sample {
        let at: Int64
        let counts: Counts
    }

    /// Oldest first.
    private var samples: [Sample] = []

    package init() {}

    /// Takes the counts of now. A clock that jumped back, or counts that fell, begin anew.
    package mutating func add(_ counts: Counts, minutes: Int64, at now: Int64) {
        if let last = samples.last, last.at > now || last.counts.all > counts.all || last.counts.bad > counts.bad {
            samples = []
        }
        samples.append(Sample(at: now, counts: counts))
        // The window is compared with one sample from before it.
        while samples.count > 2, samples[1].at <= now - minutes * 60_000 { samples.removeFirst() }
        guard samples.count > Limits.alertSamples else { return }
        let kept = samples.enumerated().filter { $0.offset.isMultiple(of: 2) || $0.offset == samples.count - 1 }
        samples = kept.map(\.element)
    }

    /// The growth since the oldest sample; nil with one sample.
    package var growth: Counts? {
        guard let first = samples.first, let last = samples.last, samples.count > 1 else { return nil }
        return Counts(bad: last.counts.bad - first.counts.bad, all: last.counts.all - first.counts.all)
    }
}
