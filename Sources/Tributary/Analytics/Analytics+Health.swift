import Foundation

extension Analytics {
    /// Where the counts for the next report outlive the process.
    private static func healthFile(_ directory: QueueDirectory, _ eventQueue: EventQueue) -> KeptFile? {
        directory.keptFile("health-\(eventQueue.number).json")
    }

    /// The reporter of a client that may report.
    static func health(
        _ values: Configuration.Values, _ directory: QueueDirectory, _ eventQueue: EventQueue, _ writer: EventWriter,
        _ context: ContextPlugin
    ) -> HealthReporter {
        HealthReporter(
            options: HealthReporter.Options(
                writeKey: values.writeKey, instance: context.instanceId, time: values.time,
                chance: values.identifiers.random, appVersion: { context.appVersion },
                settingsInterval: values.settingsInterval),
            transport: directory.transport, conditions: directory.conditions, file: healthFile(directory, eventQueue),
            permit: { writer.permit })
    }

    /// Begins to count for reports.
    func beginHealthReports() {
        guard let health else { return }
        let collector = HealthCollector(
            timeline: timeline, executor: pipeline.executor, counterStore: counterStore, uploader: uploader
        ) { [held, writer, eventQueue, adoption] in
            held.events + writer.pendingCount
                + ([eventQueue] + adoption.queues).reduce(0) { $0 + $1.unprocessed + $1.unsent }
        }
        _ = hub.observe { collector.note($0) }
        health.begin { collector.collect($0) }
        _ = writer.observePermit { permit in
            if permit == .refused { health.forget() }
        }
    }

    /// Calls back when the reporter has dealt with everything so far, and has sent the report that was due.
    package func afterHealthLooks(_ completion: @escaping @Sendable () -> Void) {
        guard let health else { return completion() }
        health.perform { [pipeline] in pipeline.executor.perform { health.perform(completion) } }
    }

    /// The app allows only these actions to scripts, as reports say it; nil for all.
    package func reportPermissions(_ permissions: [String]?) { health?.note(allows: permissions) }

    /// A version of the live plugins had its first fault: the person who deployed it must hear of it soon.
    package func reportHealthSoon() { health?.urge() }
}
