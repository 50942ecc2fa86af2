package import Logging
import TributaryJSON
package import WorkspaceCore

/// Checks requests of another service, and asks the function of a source for events of them.
package struct SourceFunctionRun: Sendable {
    package let declaration: SourceFunctionDeclaration
    private let secrets: FunctionSecrets
    private let values: JSONObject
    private let worker: FunctionWorker

    /// Loads the code, and checks settings and secrets.
    /// - Throws: `Refusal` when it cannot be used.
    package init(
        _ program: FunctionWorker.Program, _ settings: SourceFunctionSettings, secrets: [String: String],
        logger: Logger
    ) async throws(Refusal) {
        worker = FunctionWorker(program, .source, code: settings.code, values: settings.values, logger: logger)
        let declared = try await worker.declared()
        declaration = try SourceFunctionDeclaration(declared)
        values = declared["values"]?.objectValue ?? settings.values
        self.secrets = try declaration.secrets(FunctionSecrets(), changedBy: secrets.mapValues(Optional.some))
    }

    /// A function that is stored. Its process starts with the first request.
    init(stored settings: SourceFunctionSettings, _ secrets: FunctionSecrets, _ worker: FunctionWorker) throws(Refusal)
    {
        guard let declaration = settings.declaration else {
            throw .invalid("the code was not checked; store it again")
        }
        (self.declaration, self.secrets, self.worker) = (declaration, secrets, worker)
        values = settings.values
    }

    /// The request as the function gets it.
    /// - Throws: `Refusal` when the request does not come from the service.
    package func checked(_ request: HookRequest, now: Int64) async throws(Refusal) -> HookRequest {
        try await declaration.verification.checked(request, secrets, settings: values, now: now)
    }

    /// The request with the signature that its service would give it, and the run that trusts it, for tests. The body of a
    /// notification of the App Store is signed by a chain that is made for it.
    package func signed(_ request: HookRequest, now: Int64) throws -> (HookRequest, SourceFunctionRun) {
        if case .appStore(let root) = declaration.verification {
            let standIn = try AppStoreStandIn()
            let body = try standIn.body(try JSON.parse(request.body), now: now)
            var values = values
            if let root { values[root] = .string(standIn.fingerprint) }
            return (
                HookRequest(headers: request.headers, query: request.query, body: body),
                SourceFunctionRun(self, values: values)
            )
        }
        guard let header = declaration.verification.header(request.body, secrets, now: now) else {
            return (request, self)
        }
        let headers = request.headers.merging([header.name: header.value]) { $1 }
        return (HookRequest(headers: headers, query: request.query, body: request.body), self)
    }

    private init(_ run: SourceFunctionRun, values: JSONObject) {
        (declaration, secrets, worker, self.values) = (run.declaration, run.secrets, run.worker, values)
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
