import GRDB
import Logging
import ServiceLifecycle
import WorkspaceCore
import WorkspaceServer

/// Puts the health reports that a node receives into the log of its cluster. A request is answered when the log has its report.
///
/// Reports that arrive during one append share the next one.
struct HealthSender: Service {
    let store: Store
    let inbox: HealthInbox
    let health: HealthLog
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var reader = ReportReader(store: store)
            for await _ in inbox.signals { await send(inbox.take(), &reader) }
        }
        inbox.close()
    }

    private func send(_ waiting: [HealthInbox.Waiting], _ reader: inout ReportReader) async {
        var rest = waiting[...]
        guard !rest.isEmpty else { return }
        do {
            for (record, count) in try await records(waiting, &reader) {
                try await health.append(record)
                for one in rest.prefix(count) { one.end(.success(())) }
                rest = rest.dropFirst(count)
            }
        } catch {
            Array(rest).refuse(because: error, logger)
        }
    }

    /// The stages of roll-outs and the place of the settings are read first. Reports that are read later are not older
    /// than they.
    private func records(
        _ waiting: [HealthInbox.Waiting], _ reader: inout ReportReader
    ) async throws -> [(bytes: [UInt8], count: Int)] {
        let (rollouts, applied) = try await store.pool.read { db in
            (try Store.rollouts(db), try AppliedChange.read(db))
        }
        guard let applied else { throw LogError.unavailable("this node has no settings yet") }
        var reports: [SourceReport] = []
        for one in waiting {
            var report = try await reader.read(one)
            report.stages = rollouts.reduce(into: [:]) { stages, record in
                if record.source == report.source, record.isOpen { stages[record.kind] = RolloutStage(record) }
            }
            reports.append(report)
        }
        return try HealthRecord.records(reports, of: health.node, settings: applied)
    }
}
