import Foundation
import Logging
import ServiceLifecycle
import UnixSignals
import WorkspaceCore

/// Reads certificates and tokens of files again when SIGHUP comes, so that a renewed certificate needs no restart.
///
/// All files are read before the first change: with a file that cannot be used, the server goes on with what it has.
struct SettingsRenewal: Service {
    let read: @Sendable () throws -> RenewedSettings
    let identity: CurrentIdentity?
    let access: AdminAccess
    let metricsToken: MetricsToken
    let logger: Logger

    func run() async throws {
        let hangUps = await UnixSignalsSequence(trapping: .sighup)
        for await _ in hangUps.cancelOnGracefulShutdown() { await renew() }
    }

    private func renew() async {
        do {
            let settings = try read()
            let admin = try settings.adminToken.map { try AdminToken(chosen: $0).digest }
            let metrics = try settings.metricsToken.map { try AdminToken(chosen: $0).digest }
            if let admin { try await access.replaceToken(by: admin) }
            if let metrics { metricsToken.digest = metrics }
            if let tls = settings.tls { identity?.identity = tls }
            logger.notice("SIGHUP: certificates and tokens of files were read again")
        } catch {
            logger.error(
                "SIGHUP: the files cannot be used, so the server keeps what it has", metadata: ["error": "\(error)"])
        }
    }
}
