import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for alert rules.
struct AlertRoutes: Sendable {
    let store: Store
    let sources: SourceRegistry
    let readings: AlertReadings
    /// The address for operators; nil for none.
    let notices: ServiceAddress?
    /// The mail server; nil for none.
    let mail: MailSettings?
    /// Whether this is a node of a cluster, which does not look at rules.
    let isNode: Bool
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/alerts") { _, _ in
            // A request that sees some sources only sees the rules of these.
            var alerts: [Store.StoredAlert] = []
            for alert in try await store.alerts() where await isSeen(alert.rule) { alerts.append(alert) }
            return Response.json([
                "rules": .array(alerts.map(summary)), "hasNoticeAddress": .bool(notices != nil),
                "hasMail": .bool(mail != nil),
            ])
        }
        router.put("api/alerts/:name") { request, context in
            let json = try await AdministrationBody.json(request)
            let name = try context.pathParameter("name")
            let known = try await store.knownAlert(name)
            if let known, await !isSeen(known) { throw Refusal(.conflict, "there is an alert \(name) already") }
            let rule = try AlertRule(name, json, keeping: known)
            try await check(rule)
            guard await isSeen(rule) else {
                throw Refusal(.forbidden, "this token or login is limited to some sources; name one with writeKey")
            }
            let (alert, isNew) = try await store.putAlert(name, json, now: now())
            return Response.json(summary(alert), status: isNew ? .created : .ok)
        }
        router.delete("api/alerts/:name") { _, context in
            let name = try context.pathParameter("name")
            guard await isSeen(try await store.alert(name).rule) else { throw Store.noAlert(name) }
            try await store.removeAlert(name, now: now())
            return Response.json(["removed": .string(name)])
        }
        router.post("api/alerts/:name/test") { _, context in
            let rule = try await store.alert(context.pathParameter("name")).rule
            guard await isSeen(rule) else { throw Store.noAlert(rule.name) }
            return try await test(rule)
        }
    }

    /// Whether the author of the request sees the rule: one who sees some sources sees the rules of these.
    private func isSeen(_ rule: AlertRule) async -> Bool {
        guard Administrator.current.sight.sources != nil else { return true }
        guard let writeKey = rule.kind.writeKey else { return false }
        return (try? await sources.known(writeKey)) != nil
    }

    /// - Throws: `Refusal` when the rule would never say anything.
    private func check(_ rule: AlertRule) async throws {
        guard !isNode else {
            throw Refusal(
                .unsupported, "a cluster looks at no alert rules; let Prometheus read the metrics of its nodes")
        }
        if rule.target == .notices, notices == nil { throw Self.noNotices }
        if rule.target == .mail, mail == nil {
            throw Refusal(
                .conflict, "this server sends no mail: start it with --smtp-server, --mail-from and --mail-to")
        }
        guard let writeKey = rule.kind.writeKey else { return }
        let source = try await sources.known(writeKey)
        if case .plan(_, let event?, _, _) = rule.kind {
            let name = CountedName(.track, name: event)
            guard source.plan.events.contains(where: { $0.name == name }) else {
                throw Refusal(.conflict, "the tracking plan of \(writeKey) has no track event \(event)")
            }
        }
        if let name = rule.kind.destination, try await store.destination(name, of: source.id) == nil {
            throw DestinationAccess.unknown(name)
        }
    }

    private static let noNotices = Refusal(
        .conflict,
        "this server has no address for operators: start it with --notice-url, or give the rule a url of its own")

    /// Sends a message now, past the waiting ones, so that the answer is the receiver's present one.
    private func test(_ rule: AlertRule) async throws -> Response {
        let message = AlertMessage(.test, "test of the alert \(rule.name)", at: now())
        let start = ContinuousClock.now
        let answer: AlertDelivery.Answer
        switch rule.target {
        case .notices:
            guard let notices else { throw Self.noNotices }
            answer = try await AlertDelivery.sendOnce(message.body(.webhook, of: rule.name), to: notices)
        case .mail: answer = await AlertDelivery.send(message, of: rule.name, by: mail)
        case .webhook(let address, let form):
            answer = try await AlertDelivery.sendOnce(message.body(form, of: rule.name), to: address)
        }
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        return Response.json([
            "accepted": .bool(answer.isAccepted), "answer": .string(answer.text),
            "milliseconds": .number(Int(milliseconds)),
        ])
    }

    private func summary(_ alert: Store.StoredAlert) -> JSON {
        var json = alert.rule.shown
        let look = readings[alert.rule.name]
        var (since, clear): (Int64?, Int64?) = (nil, nil)
        if case .firing(let begun, let well) = alert.state.phase { (since, clear) = (begun, well) }
        json["state"] = .string(since == nil ? "quiet" : "firing")
        json["since"] = .time(since)
        json["clearSince"] = .time(clear)
        json["text"] = .string(look?.reading.text)
        json["lookedAt"] = .time(look?.at)
        json["updatedAt"] = .time(alert.updatedAt)
        let first = alert.state.waiting.first
        json["waiting"] = .number(alert.state.waiting.count)
        json["tries"] = .number(first?.tries ?? 0)
        json["retryAt"] = .time(first.flatMap { $0.tries > 0 ? $0.dueAt : nil })
        json["problem"] = .string(first?.problem ?? alert.state.problem)
        json["lost"] = .number(alert.state.lost)
        return .object(json)
    }
}

extension Store {
    /// Nil when there is no such rule.
    fileprivate func knownAlert(_ name: String) async throws -> AlertRule? {
        try await alerts().first { $0.rule.name == name }?.rule
    }
}
