import Logging
import ServiceLifecycle
import WorkspaceCore

/// Notes again and again how long events wait for destinations. The other counts of half hours are written with what they count.
struct LagService: Service {
    let lags: Lags
    let pause: Duration

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat { await lags.note() } while await pause.wait()
        }
    }
}

/// One look at the destinations of all sources. It reads at most two events of each.
struct Lags: Sendable {
    let store: Store
    let sources: SourceRegistry
    let states: ForwardingStates
    let now: @Sendable () -> Int64
    let logger: Logger

    func note() async {
        do {
            let (backlogs, now) = (DestinationBacklog(store: store, states: states), now())
            var lags: [(source: Int64, destination: Int64, lag: Int64)] = []
            for source in await sources.all() {
                for destination in try await store.destinations(of: source.id) where destination.isEnabled {
                    guard let oldest = try await backlogs.oldest(of: destination) else { continue }
                    lags.append((source.id, destination.id, max(0, now - oldest)))
                }
            }
            try await store.noteLags(lags, now: now)
        } catch is CancellationError {
            // The server stops.
        } catch {
            logger.error("it cannot be noted how long events wait for destinations", metadata: ["error": "\(error)"])
        }
    }
}
