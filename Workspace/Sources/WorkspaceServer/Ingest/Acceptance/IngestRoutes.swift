import HTTPTypes
import Hummingbird
import TributaryJSON
import WorkspaceCore

/// The endpoints that clients send to, with and without the `/v1` prefix.
///
/// Grammar, limits and the write key are checked before the acknowledgement. The indexer checks single events after it,
/// so that one bad event does not cost its batch.
struct IngestRoutes: Sendable {
    let sources: SourceRegistry
    let intake: any Intake
    let environment: WorkspaceEnvironment
    let metrics: ServerMetrics
    let quotas: QuotaLedger
    let proxies: TrustedProxies
    let outcomes: RequestOutcomes
    let traceOrders: TraceOrderBook
    let suppressions: SuppressionBook
    /// Nil on a server without a database of countries.
    let countries: CountryBook?
    let bodyMemory: BodyMemory

    func add(to router: Router<WorkspaceContext>) {
        for (path, form) in Self.forms { router.post(RouterPath(path)) { try await accept($0, $1, form) } }
    }

    /// The paths, with the form of the requests that come there.
    private static let forms: [String: RequestForm] = {
        var forms: [String: RequestForm] = [:]
        for prefix in ["/", "/v1/"] {
            for path in ["b", "batch", "import"] { forms[prefix + path] = .batch }
            forms[prefix + "signals"] = .signals
            // The path for signals, for clients that are configured with a path behind the host.
            forms["/signals\(prefix)b"] = .batch
            forms[prefix + "traces"] = .traces
            for type in EventType.allCases {
                for path in [type.rawValue, type.shortPath] { forms[prefix + path] = .single(type) }
            }
        }
        return forms
    }()

    static let paths = Set(forms.keys)

    /// The answer says only that the request is on disk; the answer to an import has the result of its events.
    private func accept(_ request: Request, _ context: WorkspaceContext, _ form: RequestForm) async throws -> Response {
        let body = try await IngestBody(request, keyed)
        return try await body.whileInMemory { try await accept(body, request, context, form) }
    }

    /// Takes a batch that the server made for a source, and returns when it is on disk. The sender of the events is not known.
    func take(_ plain: [UInt8], for source: Source) async throws {
        let receivedAt = environment.now()
        let checked = try check(plain, .batch, nil, receivedAt)
        suppressions.noteRefused(checked.refused)
        guard checked.items > 0 else { return }
        let accepted = AcceptedRequest(
            form: .batch, isCompressed: false, source: source.id, receivedAt: receivedAt, uploadedAt: nil,
            address: AddressRule(source.policy.address, connection: nil),
            countries: await countries(of: checked.plain, .batch, source, connection: nil), body: checked.plain)
        try quotas.take(checked.items, of: source.id, within: source.policy.quota)
        try await append(accepted, checked.plain, checked.items, source)
    }

    private var keyed: KeyedBody { KeyedBody(sources: sources, memory: bodyMemory) }

    private func accept(
        _ body: IngestBody, _ request: Request, _ context: WorkspaceContext, _ form: RequestForm
    ) async throws -> Response {
        let receivedAt = environment.now()
        let uploadedAt = request.headers[named: "X-Sent-At"].flatMap(EventTime.milliseconds)
        let checked = try await checkElsewhereIfLong(body, form, uploadedAt, receivedAt)
        let source = try await keyed.source(of: request, key: checked.writeKey)
        let (plain, items) = (checked.plain, checked.items)
        suppressions.noteRefused(checked.refused)
        guard items > 0 else { return Response.json(Self.success) }
        let isImport = form == .batch && request.headers[named: "Tributary-Import"] == "true"
        // The importing machine is not the sender of the events.
        let sender = isImport ? nil : proxies.client(of: request, context)
        let accepted = AcceptedRequest(
            form: form, isCompressed: checked.kept == nil && body.isCompressed, source: source.id,
            receivedAt: receivedAt, uploadedAt: uploadedAt,
            address: AddressRule(source.policy.address, connection: sender),
            asksForPrivacy: request.headers[named: "Sec-GPC"] == "1",
            countries: await countries(of: plain, form, source, connection: sender),
            body: checked.kept == nil ? body.raw : plain)
        try quotas.take(items, of: source.id, within: source.policy.quota)
        guard isImport else {
            try await append(accepted, plain, items, source)
            return Response.json(answer(to: checked.subjects, of: source))
        }
        return try await outcomes.listen {
            guard let place = try await append(accepted, plain, items, source) else {
                return Response.json(Self.success)
            }
            await intake.reach(place, within: Limits.importPatience)
            guard let outcome = outcomes.take(place) else { return Response.json(Self.success) }
            return Response.json(outcome.json(kept: checked.kept, refused: checked.refused))
        }
    }

    /// Puts a request where it is safe.
    /// - Returns: its place; nil where no outcomes are known.
    @discardableResult
    private func append(
        _ accepted: AcceptedRequest, _ plain: [UInt8], _ items: Int, _ source: Source
    ) async throws -> UInt64? {
        let place: UInt64?
        do {
            place = try await intake.append(accepted, plain: plain)
        } catch {
            quotas.giveBack(items, of: source.id, within: source.policy.quota)
            throw error
        }
        metrics.acknowledged(bytes: accepted.body.count)
        return place
    }

    private static let success = [UInt8](#"{"success":true}"#.utf8)

    /// A body after its checks.
    private struct CheckedBody {
        /// The body as text, without the items that are not to be stored.
        var plain: [UInt8]
        let writeKey: String?
        /// How many items are to be stored.
        let items: Int
        /// While traces are ordered, the users that the events of a batch name.
        let subjects: Set<TraceSubject>
        /// The places of these items among all that came; nil when all are to be stored.
        var kept: [Int]?
        /// How many are not to be stored.
        var refused = 0
    }

    /// The countries of the events of a request, before the address policy removes or shortens their addresses.
    private func countries(
        of plain: [UInt8], _ form: RequestForm, _ source: Source, connection: String?
    ) async -> RequestCountries? {
        let policy = source.policy.country.resolved(source.policy.address)
        guard let database = countries?.database, policy != .none else { return nil }
        func found() -> RequestCountries? {
            RequestCountries(database, of: plain, form, by: policy, connection: connection)
        }
        guard plain.count > Limits.checkedOnEventLoop else { return found() }
        return await withTaskExecutorPreference(globalConcurrentExecutor) { found() }
    }

    /// A device learns here that its events are to be traced, because no other device sends events of that user.
    private func answer(to subjects: Set<TraceSubject>, of source: Source) -> [UInt8] {
        guard !subjects.isEmpty else { return Self.success }
        let now = environment.now()
        let orders = traceOrders.open(of: source.id, at: now).filter { subjects.contains($0.subject) }
        guard !orders.isEmpty else { return Self.success }
        let told = orders.prefix(Limits.traceOrdersInAnswer).map { $0.answer(at: now) }
        return (["success": true, "trace": .array(told)] as JSON).encoded()
    }

    /// A long text would keep other connections of the event loop waiting.
    private func checkElsewhereIfLong(
        _ body: IngestBody, _ form: RequestForm, _ uploadedAt: Int64?, _ receivedAt: Int64
    ) async throws -> CheckedBody {
        if let short = RequestText.short(body.raw, isCompressed: body.isCompressed) {
            return try check(short, form, uploadedAt, receivedAt)
        }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try check(try body.plain(), form, uploadedAt, receivedAt)
        }
    }

    private func check(
        _ plain: [UInt8], _ form: RequestForm, _ uploadedAt: Int64?, _ receivedAt: Int64
    ) throws(Refusal) -> CheckedBody {
        let list = suppressions.list
        return try plain.withUnsafeBufferPointer { bytes throws(Refusal) in
            let looksForSubjects = form == .batch && !traceOrders.isEmpty
            let scan = try RequestScan(bytes, form, members: looksForSubjects ? RequestScan.subjectMembers : [])
            guard scan.hasItems else { throw .invalid("\(form.itemsKey ?? "") must be an array") }
            guard scan.items.count <= Limits.eventsInBatch else {
                throw .invalid(
                    "\(form.itemsKey ?? "") has \(scan.items.count) elements, "
                        + "at most \(Limits.eventsInBatch) are taken at once")
            }
            let subjects = looksForSubjects ? scan.subjects : []
            let whole = CheckedBody(
                plain: plain, writeKey: scan.writeKey, items: scan.items.count, subjects: subjects)
            guard !list.isEmpty else { return whole }
            let kept = scan.allowed(by: list, uploadedAt: uploadedAt, receivedAt: receivedAt)
            guard kept.count < scan.items.count else { return whole }
            // A single event is kept as a whole or not at all.
            let body = kept.isEmpty ? [] : scan.body(form, items: kept)
            return CheckedBody(
                plain: body, writeKey: scan.writeKey, items: kept.count, subjects: subjects, kept: kept,
                refused: scan.items.count - kept.count)
        }
    }
}
