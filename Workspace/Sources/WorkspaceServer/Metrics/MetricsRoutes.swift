import Hummingbird

/// What Prometheus fetches.
struct MetricsRoutes: Sendable {
    let metrics: ServerMetrics
    let journal: IngestJournal
    let broadcaster: Broadcaster

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("metrics") { _, _ in
            Response.text(await metrics.text(journal, broadcaster), type: "text/plain; version=0.0.4")
        }
    }
}
