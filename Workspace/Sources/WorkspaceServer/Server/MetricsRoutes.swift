import CoreMetrics
import Hummingbird
import WorkspaceCore

/// The route for Prometheus.
struct MetricsRoutes: Sendable {
    let parts: WorkspaceParts
    let now: @Sendable () -> Int64

    private static let help = [
        "tributary_destination_waiting_events":
            "Events that wait for a destination, untried ones counted up to \(Limits.countedBacklog).",
        "tributary_destination_oldest_waiting_seconds": "How long ago the oldest waiting event arrived.",
        "tributary_country_database_age_seconds": "How old the database of countries is.",
        "tributary_country_database_refused": "1 while the file of the database cannot be used and the one before is.",
        "tributary_open_connections": "Connections of clients.",
        "tributary_held_settings_requests": "Requests for settings that wait for a change.",
    ]

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("metrics") { _, _ in
            let state = await parts.intake.state
            let counted = parts.metrics.text(
                waitingRequests: state.waitingRequests, waitingBytes: state.waitingBytes,
                listeners: await parts.broadcaster.count)
            return Response.text(counted + (try await looked()), type: "text/plain; version=0.0.4")
        }
    }

    /// Figures that are read for each answer. A removed destination leaves no series behind.
    private func looked() async throws -> String {
        let now = now()
        let figures = await parts.engine.figures(now: now)
        let engineHelp = Dictionary(figures.map { ($0.name, $0.help) }) { first, _ in first }
        let factory = PrometheusFactory(
            help: Self.help.merging(ProcessFigures.help) { $1 }.merging(engineHelp) { $1 })
        Meter(label: "tributary_open_connections", factory: factory).set(parts.connections.count)
        Meter(label: "tributary_held_settings_requests", factory: factory).set(parts.settingsWaits.count)
        if let countries = parts.countries {
            Meter(label: "tributary_country_database_age_seconds", factory: factory)
                .set(Double(max(0, now - countries.database.day.start)) / 1_000)
            Meter(label: "tributary_country_database_refused", factory: factory).set(countries.problem == nil ? 0 : 1)
        }
        for (name, value) in ProcessFigures.of(dataFolder: parts.store.folder.path) {
            if name.hasSuffix("_total") {
                FloatingPointCounter(label: name, factory: factory).increment(by: value)
            } else {
                Meter(label: name, factory: factory).set(value)
            }
        }
        for figure in figures { Self.add(figure, to: factory) }
        for (destination, writeKey) in try await parts.store.enabledDestinations() {
            let backlog = try await DestinationBacklog(store: parts.store, states: parts.states).of(destination)
            let age = backlog.oldest.map { Double(max(0, now - $0)) / 1_000 } ?? 0
            let labels = [("source", writeKey), ("destination", destination.name)]
            Meter(label: "tributary_destination_waiting_events", dimensions: labels, factory: factory)
                .set(backlog.count)
            Meter(label: "tributary_destination_oldest_waiting_seconds", dimensions: labels, factory: factory).set(age)
        }
        return factory.text
    }

    private static func add(_ figure: EngineFigure, to factory: PrometheusFactory) {
        let labels = figure.partition.map { [("partition", "\($0)")] } ?? []
        if figure.name.hasSuffix("_total") {
            FloatingPointCounter(label: figure.name, dimensions: labels, factory: factory).increment(by: figure.value)
        } else {
            Meter(label: figure.name, dimensions: labels, factory: factory).set(figure.value)
        }
    }
}
