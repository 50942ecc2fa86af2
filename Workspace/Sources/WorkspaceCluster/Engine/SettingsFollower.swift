import Logging
import ServiceLifecycle
import WorkspaceCore
import WorkspaceServer

/// Takes over what other nodes of a cluster change in the settings.
struct SettingsFollower: Service {
    let settings: SharedSettings
    let parts: WorkspaceParts
    let supervisor: ForwardingSupervisor
    let logger: Logger

    func run() async throws {
        settings.coordinate(when: parts.isCoordinator)
        settings.whenChanged { await changed() }
        // Something may have changed between the reading of the sources and now.
        await changed()
        await cancelWhenGracefulShutdown { await settings.follow() }
    }

    private func changed() async {
        do {
            try await parts.sources.reload()
            try await parts.access.reload()
            try await parts.suppressions.load(from: parts.store)
        } catch {
            logger.error(
                "settings that another node changed cannot be read", metadata: ["error": "\(error)"])
        }
        // A forwarder that ends writes how far it is, which is a change of its own.
        Task { await supervisor.follow() }
    }
}
