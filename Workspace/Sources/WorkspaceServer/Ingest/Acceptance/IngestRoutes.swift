import HTTPTypes
import Hummingbird
import TributaryJSON

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
    let outcomes: OutcomeBoard
    let traceOrders: TraceOrderBook

    func add(to router: Router<WorkspaceContext>) {
        for (path, form) in Self.forms { router.post(RouterPath(path)) { try await accept($0, $1, form) } }
    }

    /// The paths, with what is sent there.
    private static let forms: [String: RequestForm] = {
        var forms: [String: RequestForm] = [:]
        for prefix in ["/", "/v1/"] {
            for path in ["b", "batch", "import"] { forms[prefix + path] = .batch }
            forms[prefix + "signals"] = .signals
            // The path for signals of clients whose host ends with a path of its own.
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
        let body = try await IngestBody(request)
        let (plain, writeKey, items, subjects) = try await checkElsewhereIfLong(body, form)
        let source = try await source(request, writeKey)
        guard items > 0 else { return Response.json(Self.success) }
        let isImport = form == .batch && request.headers[named: "Tributary-Import"] == "true"
        let accepted = AcceptedRequest(
            form: form, isCompressed: body.isCompressed, source: source.id, receivedAt: environment.now(),
            uploadedAt: request.headers[named: "X-Sent-At"].flatMap(EventTime.milliseconds),
            // The importing machine is not the sender of the events.
            address: AddressRule(
                source.policy.address, connection: isImport ? nil : proxies.client(of: request, context)),
            body: body.raw)
        try quotas.take(items, of: source.id, within: source.policy.quota)
        guard isImport else {
            try await append(accepted, plain, items, source)
            return Response.json(answer(to: subjects, of: source))
        }
        return try await outcomes.listen {
            guard let place = try await append(accepted, plain, items, source) else {
                return Response.json(Self.success)
            }
            await intake.reach(place, within: Limits.importPatience)
            return outcomes.take(place).map { Response.json($0.json) } ?? Response.json(Self.success)
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

    /// A device learns here that its events are to be traced, because nobody else sends events of that user.
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
        _ body: IngestBody, _ form: RequestForm
    ) async throws(APIError) -> (plain: [UInt8], writeKey: String?, items: Int, subjects: Set<TraceSubject>) {
        if let short = IngestBody.short(body.raw, isCompressed: body.isCompressed) { return try check(short, form) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(APIError) in
            try check(try IngestBody.plain(body.raw, isCompressed: body.isCompressed), form)
        }
    }

    /// - Returns: the body as text, the write key and the number of items; and, while traces of anybody are ordered, the users whom the
    ///   events of a batch name.
    private func check(
        _ plain: [UInt8], _ form: RequestForm
    ) throws(APIError) -> (plain: [UInt8], writeKey: String?, items: Int, subjects: Set<TraceSubject>) {
        let checked: (writeKey: String?, items: Int, subjects: Set<TraceSubject>)
        checked = try plain.withUnsafeBufferPointer { bytes throws(APIError) in
            let looksForSubjects = form == .batch && !traceOrders.isEmpty
            let scan = try RequestScan(bytes, form, members: looksForSubjects ? RequestScan.subjectMembers : [])
            guard scan.hasItems else { throw .badRequest("\(form.itemsKey ?? "") must be an array") }
            guard scan.items.count <= Limits.eventsInBatch else {
                throw .badRequest(
                    "\(form.itemsKey ?? "") has \(scan.items.count) elements, "
                        + "at most \(Limits.eventsInBatch) are taken at once")
            }
            return (scan.writeKey, scan.items.count, looksForSubjects ? scan.subjects : [])
        }
        return (plain, checked.writeKey, checked.items, checked.subjects)
    }

    private func source(_ request: Request, _ writeKey: String?) async throws -> Source {
        guard let key = WriteKey.of(request, body: writeKey) else {
            throw APIError(.unauthorized, "the request has no write key")
        }
        guard let source = await sources.source(ofClientWith: key) else {
            throw APIError(.unauthorized, "the write key is not known here")
        }
        return source
    }
}
