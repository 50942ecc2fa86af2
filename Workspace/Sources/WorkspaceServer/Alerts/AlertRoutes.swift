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
    /// Whether this is a node of a cluster, which does not look at rules.
    let isNode: Bool
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/alerts") { _, _ in
            Response.json([
                "rules": .array(try await store.alerts().map(summary)), "hasNoticeAddress": .bool(notices != nil),
            ])
        }
        router.put("api/alerts/:name") { request, context in
            let json = try await AdministrationBody.json(request)
            let name = try context.pathParameter("name")
            try await check(AlertRule(name, json, keeping: store.knownAlert(name)))
            let (alert, isNew) = try await store.putAlert(name, json, now: now())
            return Response.json(summary(alert), status: isNew ? .created : .ok)
        }
        router.delete("api/alerts/:name") { _, context in
            let name = try context.pathParameter("name")
            try await store.removeAlert(name, now: now())
            return Response.json(["removed": .string(name)])
        }
        router.post("api/alerts/:name/test") { _, context in
            try await test(store.alert(context.pathParameter("name")).rule)
        }
    }

    /// - Throws: `Refusal` when the rule would never say anything.
    private func check(_ rule: AlertRule) async throws {
        guard !isNode else {
            throw Refusal(
                .unsupported, "a cluster looks at no alert rules; let Prometheus read the metrics of its nodes")
        }
        if rule.target == .notices, notices == nil { throw Self.noNotices }
        guard let writeKey = rule.kind.writeKey else { return }
        let source = try await sources.known(writeKey)
        if let name = rule.kind.destination, try await store.destination(name, of: source.id) == nil {
            throw DestinationAccess.unknown(name)
        }
    }

    private static let noNotices = Refusal(
        .conflict,
        "this server has no address for operators: start it with --notice-url, or give the rule a url of its own")

    /// Sends a message now, past those that wait, so that the answer is the receiver's present one.
    private func test(_ rule: AlertRule) async throws -> Response {
        let message = AlertMessage(.test, "test of the alert \(rule.name)", at: now())
        let start = ContinuousClock.now
        let answer: AlertDelivery.Answer
        switch rule.target {
        case .notices:
            guard let notices else { throw Self.noNotices }
            answer = try await AlertDelivery.sendOnce(message.body(.webhook, of: rule.name), to: notices)
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
