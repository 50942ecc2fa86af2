package import Logging
import TributaryJSON
package import WorkspaceCore

/// Checks requests of another service, and asks the function of a source for events of them.
package struct SourceFunctionRun: Sendable {
    package let declaration: SourceFunctionDeclaration
    private let secrets: FunctionSecrets
    private let worker: FunctionWorker

    /// Loads the code, and checks settings and secrets.
    /// - Throws: `Refusal` when it cannot be used.
    package init(
        _ program: FunctionWorker.Program, _ settings: SourceFunctionSettings, secrets: [String: String],
        logger: Logger
    ) async throws(Refusal) {
        worker = FunctionWorker(program, .source, code: settings.code, values: settings.values, logger: logger)
        declaration = try SourceFunctionDeclaration(try await worker.declared())
        self.secrets = try declaration.secrets(FunctionSecrets(), changedBy: secrets.mapValues(Optional.some))
    }

    /// A function that is stored. Its process starts with the first request.
    init(stored settings: SourceFunctionSettings, _ secrets: FunctionSecrets, _ worker: FunctionWorker) throws(Refusal)
    {
        guard let declaration = settings.declaration else {
            throw .invalid("the code was not checked; store it again")
        }
        (self.declaration, self.secrets, self.worker) = (declaration, secrets, worker)
    }

    /// - Throws: `Refusal` when the request does not come from the service.
    package func check(_ request: HookRequest, now: Int64) throws(Refusal) {
        try declaration.verification.check(request, secrets, now: now)
    }

    /// The header that the service would sign the body with, for tests.
    package func signature(of body: [UInt8], now: Int64) -> (name: String, value: String)? {
        declaration.verification.signed(body, secrets, now: now)
    }

    /// Asks the function. The request was checked.
    /// - Throws: `Refusal` when the body is not UTF-8.
    package func outcome(of request: HookRequest) async throws(Refusal) -> HookOutcome {
        guard let json = request.json(hiding: declaration.verification.header) else {
            throw .invalid("the body is not UTF-8")
        }
        do {
            return HookOutcome(try await worker.events(of: json, within: Limits.hookPatience), to: request)
        } catch {
            return .failed("function: " + FunctionWorker.text(error))
        }
    }
}
