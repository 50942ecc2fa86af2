import Foundation
import Logging
import TributaryJSON
import WorkspaceCore

/// Takes the events of one source through its live plugins, in processes of their own, one for each version in use.
///
/// Failures have the same effect on an event as on a device. A plugin that throws or uses up its budget leaves
/// the event as it was. A version that cannot be loaded is replaced by the last one that worked. A version does not run any
/// more until the server starts again, or another one is deployed, when it uses up its time while it is loaded, or its memory,
/// or when its process ends twice in a row at the same event. The events then go on as they are.
actor SourceScripts {
    private let program: String?
    private let store: Store
    private let reports: ScriptReports
    private let logger: Logger
    private var workers: [Int64: WorkerProcess] = [:]
    /// The versions that do not run, each with the time when it is tried again; nil for never.
    private var off: [Int64: ContinuousClock.Instant?] = [:]
    /// The last version that was loaded.
    private var lastGood: BundleVersion?
    private var healthTaken: [Int64: ContinuousClock.Instant] = [:]
    /// The source as it was known last.
    private var source: Source?
    /// Grows with each piece of work, so that a time without work is recognised.
    private var pieces = 0
    /// Whether events go on as they are, because too much waits for them.
    private var givesWay = false
    private var isClosed = false

    init(program: String?, store: Store, reports: ScriptReports, logger: Logger) {
        (self.program, self.store, self.reports, self.logger) = (program, store, reports, logger)
    }

    /// The events of a lane go on as they are until it is empty.
    func giveWay(because reason: Logger.Message) {
        guard !givesWay else { return }
        givesWay = true
        logger.error(reason)
    }

    /// The lane of the source is empty.
    func rest() { givesWay = false }

    /// Takes the events of requests through the scripts.
    func process(_ jobs: [ScriptJob]) async -> [ScriptJob] {
        pieces += 1
        var results = jobs.map { [Result?](repeating: nil, count: $0.batch.events.count) }
        for run in Self.runs(of: jobs) {
            guard let scripts = jobs[run.places[0].job].scripts else { continue }
            for piece in Self.pieces(of: run, jobs) {
                let events = piece.map { jobs[$0.job].batch.events[$0.event].body }
                let outcomes = await outcomes(of: events, run.version, scripts.source)
                for (place, outcome) in zip(piece, outcomes) { results[place.job][place.event] = outcome }
            }
        }
        return zip(jobs, results).map { job, results in
            let scripted = ScriptedBatch(job, results)
            for problem in scripted.problems.prefix(1) {
                logger.warning("a result of live plugins is not used", metadata: ["reason": "\(problem)"])
            }
            var job = job
            (job.batch, job.origins) = (scripted.batch, scripted.origins)
            return job
        }
    }

    /// Reports the last counts when nothing came since.
    func reportIfIdle(since pieces: Int) async {
        guard pieces == self.pieces else { return }
        for version in Array(workers.keys) { await takeHealth(version) }
    }

    /// Ends the processes when nothing came since.
    func endIfIdle(since pieces: Int) {
        if pieces == self.pieces { workers = [:] }
    }

    var work: Int { pieces }

    /// Ends the processes at once.
    func close() {
        isClosed = true
        for worker in workers.values { worker.end() }
        workers = [:]
    }

    // MARK: Events

    /// The result of an event, with the version that made it.
    typealias Result = ScriptedBatch.Result

    private struct Place {
        let job: Int
        let event: Int
    }

    /// Events one after the other that one version takes.
    private struct Run {
        let version: BundleVersion
        var places: [Place]
    }

    private static func runs(of jobs: [ScriptJob]) -> [Run] {
        var runs: [Run] = []
        for (number, job) in jobs.enumerated() {
            guard let scripts = job.scripts else { continue }
            for (index, event) in job.batch.events.enumerated() {
                guard let version = scripts.version(for: event) else { continue }
                let place = Place(job: number, event: index)
                if runs.last?.version == version {
                    runs[runs.count - 1].places.append(place)
                } else {
                    runs.append(Run(version: version, places: [place]))
                }
            }
        }
        return runs
    }

    private static func pieces(of run: Run, _ jobs: [ScriptJob]) -> [[Place]] {
        var pieces: [[Place]] = []
        var bytes = 0
        for place in run.places {
            let count = jobs[place.job].batch.events[place.event].body.count
            bytes += count
            if pieces.isEmpty || pieces[pieces.count - 1].count >= Limits.scriptEventsInQuestion
                || bytes > Limits.scriptBytesInQuestion
            {
                pieces.append([])
                bytes = count
            }
            pieces[pieces.count - 1].append(place)
        }
        return pieces
    }

    /// The result of each event; nil for an event that goes on as it is.
    private func outcomes(of events: [[UInt8]], _ version: BundleVersion, _ source: Source) async -> [Result?] {
        self.source = source
        guard !givesWay, let (worker, version) = await self.worker(for: version, source) else {
            return events.map { _ in nil }
        }
        do throws(WorkerProcess.Ended) {
            return try await ask(worker, events, version.version, source).map { Result($0, version.version) }
        } catch {
            ended(version, error)
        }
        // One after the other, to find the event that ends the process. All others go through the scripts.
        var outcomes: [Result?] = []
        for event in events { outcomes.append(await outcome(of: event, version, source)) }
        return outcomes
    }

    private func outcome(of event: [UInt8], _ version: BundleVersion, _ source: Source) async -> Result? {
        for _ in 0..<Limits.workerDeaths {
            guard !givesWay, let (worker, used) = await self.worker(for: version, source) else { return nil }
            do throws(WorkerProcess.Ended) {
                return try await ask(worker, [event], used.version, source).first.map { Result($0, used.version) }
            } catch {
                ended(used, error)
            }
        }
        switchOff(version.version, source, because: "its process ended twice in a row at the same event")
        return nil
    }

    private func ask(
        _ worker: WorkerProcess, _ events: [[UInt8]], _ version: Int64, _ source: Source
    ) async throws(WorkerProcess.Ended) -> [ScriptedEvent] {
        let now = ContinuousClock.now
        let wantsHealth = healthTaken[version].map { now - $0 >= Limits.scriptHealthPause } ?? true
        let answer = try await worker.ask(.events(events, wantsHealth: wantsHealth), within: Limits.workerPatience)
        guard case .events(let outcomes, let failure, let health) = answer, outcomes.count == events.count else {
            worker.end()
            throw WorkerProcess.Ended(description: "its answer is for other events")
        }
        if let health {
            healthTaken[version] = now
            reports.send(health, of: source)
        }
        if let failure { switchOff(version, source, because: failure) }
        return outcomes
    }

    // MARK: Processes

    /// The process for a version, or for the last one that worked when that version does not run; nil when none does.
    private func worker(
        for version: BundleVersion, _ source: Source
    ) async -> (WorkerProcess, BundleVersion)? {
        guard !isClosed else { return nil }
        if !isOff(version) {
            if let known = workers[version.version] { return (known, version) }
            if let started = await start(version, source) { return (started, version) }
        }
        guard let lastGood, lastGood.version < version.version, !isOff(lastGood) else { return nil }
        if let known = workers[lastGood.version] { return (known, lastGood) }
        return await start(lastGood, source).map { ($0, lastGood) }
    }

    private func isOff(_ version: BundleVersion) -> Bool {
        guard let until = off[version.version] else { return false }
        guard let until, until <= ContinuousClock.now else { return true }
        off[version.version] = nil
        return false
    }

    /// A process that ends while it is loaded may have been ended by something else, so it gets another chance.
    private func start(_ version: BundleVersion, _ source: Source) async -> WorkerProcess? {
        var failure = ""
        for _ in 0..<Limits.workerStarts where !isClosed {
            do throws(WorkerProcess.Ended) {
                return try await started(version, source)
            } catch {
                failure = error.description
            }
        }
        let until = ContinuousClock.now + Limits.workerPause
        switchOff(version.version, source, because: "its process does not start: \(failure)", until: until)
        return nil
    }

    /// - Returns: nil when the version cannot run.
    private func started(
        _ version: BundleVersion, _ source: Source
    ) async throws(WorkerProcess.Ended) -> WorkerProcess? {
        guard let program else {
            switchOff(version.version, source, because: "this server was not started by the program tributary")
            return nil
        }
        guard let bundle = await bundle(version, source) else { return nil }
        let worker = try WorkerProcess(program: program, writeKey: source.writeKey)
        switch try await worker.ask(.load(bundle), within: Limits.workerStart) {
        case .loaded(let confinement):
            if let confinement { noteConfinement(confinement) }
            endOlder(than: version)
            workers[version.version] = worker
            lastGood = version
            return worker
        case .refused(let reason):
            switchOff(version.version, source, because: reason, incident: "loadFailed")
        case .events, .function, .called:
            switchOff(version.version, source, because: "its process gave no answer that makes sense")
        }
        return nil
    }

    private func bundle(_ version: BundleVersion, _ source: Source) async -> WorkerBundle? {
        let found: (text: Data, sha256: String)?
        do {
            found = try await store.bundleText(source: source.id, version: version.version)
        } catch {
            logger.error("live plugins cannot be read", metadata: ["error": "\(error)"])
            return nil
        }
        guard let found else { return nil }
        return WorkerBundle(
            source: String(decoding: found.text, as: UTF8.self), name: "livePlugin-\(version.version).js",
            writeKey: source.writeKey, version: version.version,
            settings: ["integrations": .object(source.integrations)])
    }

    /// A staged version and the version for all may be in use at the same time, and no others.
    private func endOlder(than version: BundleVersion) {
        let others = workers.keys.filter { $0 != version.version }.sorted()
        for old in others.dropLast() { workers[old] = nil }
    }

    private func takeHealth(_ version: Int64) async {
        guard let worker = workers[version], let source else { return }
        let question = WorkerQuestion.events([], wantsHealth: true)
        guard let answer = try? await worker.ask(question, within: Limits.workerPatience),
            case .events(_, _, let health?) = answer
        else { return }
        reports.send(health, of: source)
    }

    private func ended(_ version: BundleVersion, _ error: WorkerProcess.Ended) {
        workers[version.version] = nil
        guard !isClosed else { return }
        logger.warning(
            "the process of live plugins is started again",
            metadata: ["version": "\(version.version)", "reason": "\(error)"])
    }

    private func switchOff(
        _ version: Int64, _ source: Source, because reason: String, incident: String = "quarantined",
        until: ContinuousClock.Instant? = nil
    ) {
        guard off[version] == nil, !isClosed else { return }
        off[version] = .some(until)
        workers[version] = nil
        logger.error(
            until == nil
                ? "a version of the live plugins does not run in the workspace any more"
                : "a version of the live plugins does not run in the workspace for a while",
            metadata: ["source": "\(source.writeKey)", "version": "\(version)", "reason": "\(reason)"])
        reports.send(["version": .string("\(version)"), "incidents": .object([incident: 1])], of: source)
    }

    private func noteConfinement(_ reason: String) {
        logger.warning(
            "this system does not take the rights of processes with live plugins; they are bounded, but not confined",
            metadata: ["reason": "\(reason)"])
    }
}
