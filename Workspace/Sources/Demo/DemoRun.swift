import ArgumentParser
import Foundation
import ProgramSupport
import TributaryJSON

/// One run: starts the workspace and the shop, deploys new scripts in the middle, and compares the counts at the end.
struct DemoRun {
    /// Time between two requests for the workspace's figures.
    private static let look = Duration.milliseconds(200)
    /// How long the workspace may take to store what it has acknowledged.
    private static let patience = Duration.seconds(60)

    let plan: DemoPlan
    let terminal: Terminal
    let ending: DemoEnding
    let keepsData: Bool
    private let interruption = Interruption()

    init(plan: DemoPlan, terminal: Terminal, ending: DemoEnding, keepsData: Bool) {
        (self.plan, self.terminal, self.ending, self.keepsData) = (plan, terminal, ending, keepsData)
    }

    func run() async throws {
        Waiting.explain(stop: "Ctrl-C stops the demo and its programs")
        defer { Waiting.finish() }
        try makeFolder()
        defer { removeFolder() }
        do {
            try await runPrograms()
        } catch {
            // Ctrl-C ends the programs too, so a failure after it is no failure of the demo.
            throw interruption.isRaised ? ExitCode(130) : error
        }
    }

    private func runPrograms() async throws {
        if let workspace = plan.workspace { return try await run(on: nil, at: workspace, nil) }
        let warehouse = try await startWarehouse()
        do {
            try await runServer(warehouse)
        } catch {
            await stop(warehouse)
            throw error
        }
        await stop(warehouse)
    }

    private func runServer(_ warehouse: WebScene.Warehouse) async throws {
        let server = try await ChildProcess(
            plan.server, arguments: plan.serverArguments, environment: plan.serverEnvironment)
        do {
            try await run(on: server, warehouse)
        } catch {
            await stop(server)
            throw error
        }
        await stop(server)
    }

    private func startWarehouse() async throws -> WebScene.Warehouse {
        switch PostgresInstallation.find() {
        case .missing(let reason): return .missing(reason)
        case .installed(let programs, let account):
            let what = "PostgreSQL to start, at most \(Int(PostgresServer.startTimeout)) s"
            return try await Waiting.during(what) {
                .running(try await PostgresServer(programs: programs, account: account))
            }
        }
    }

    private func stop(_ warehouse: WebScene.Warehouse) async {
        guard case .running(let postgres) = warehouse else { return }
        await Waiting.during("PostgreSQL to stop") { await postgres.stop() }
    }

    private func stop(_ server: ChildProcess) async {
        await Waiting.during("the workspace to stop") { await server.stop() }
    }

    private func run(on server: ChildProcess, _ warehouse: WebScene.Warehouse) async throws {
        let address = await Waiting.during("the workspace to open, at most \(Int(DemoPlan.startTimeout)) s") {
            await server.line(after: "tributary: listening on ", within: DemoPlan.startTimeout)
        }
        guard let address else {
            throw DemoError(
                "the workspace was not ready within \(Int(DemoPlan.startTimeout)) s", details: server.output)
        }
        try await run(on: server, at: address, warehouse)
    }

    /// - Parameters:
    ///   - server: nil when the demo did not start the workspace.
    ///   - warehouse: nil when no web client sends events.
    private func run(
        on server: ChildProcess?, at address: String, _ warehouse: WebScene.Warehouse?
    ) async throws {
        let client = WorkspaceClient(server: address, writeKey: DemoPlan.writeKey, token: plan.token)
        terminal.line(terminal.bold("Tributary demo"))
        terminal.item("workspace", "\(address)/login#\(plan.token)")
        terminal.item("", "(open it in a browser to watch the events arrive)")
        try await deployPlugins(version: 1, to: client)
        try await client.deployFilters(try read(plan.filter))
        try await Waiting.during("the workspace to give devices what was deployed") {
            try await client.waitForSettings(pluginVersion: 1)
        }
        terminal.item("filters", "deployed, for each destination by its name")

        let shop = try await ChildProcess(plan.shop, arguments: plan.shopArguments(server: address))
        let scene = warehouse.map {
            WebScene(plan: plan, server: address, warehouse: $0, checkInterruption: checkInterruption)
        }
        let (outcome, webOutcome): (RolloutOutcome?, WebOutcome?)
        do {
            async let web = scene?.run()
            async let rollout =
                plan.hasRollout
                ? RolloutScene(plan: plan, server: address, checkInterruption: checkInterruption).run() : nil
            try await watch(shop, client)
            Waiting.begin("the workspace to take the broken version back, at most \(Int(RolloutScene.patience)) s")
            outcome = try await rollout
            Waiting.end()
            Waiting.begin("the web client's events to arrive, at most \(Int(WebScene.patience)) s")
            webOutcome = try await web
            Waiting.end()
        } catch {
            await shop.stop()
            throw error
        }
        if let outcome {
            terminal.item("roll-out", outcome.text)
            terminal.item("", outcome.accountText)
        }
        if let webOutcome {
            terminal.item("web", webOutcome.text)
            terminal.item("", webOutcome.accountText)
            terminal.item("warehouse", webOutcome.warehouseText)
            if ending == .onRequest, case .running(let postgres) = warehouse { terminal.item("", postgres.command) }
        }
        let balance = try await balanceEvents(client)
        try await show(balance, (outcome?.problems ?? []) + (webOutcome?.problems ?? []), address, server)
    }

    // MARK: The shop is open

    private func watch(_ shop: ChildProcess, _ client: WorkspaceClient) async throws {
        let opened = await Waiting.during("the shop to open, at most \(Int(DemoPlan.startTimeout)) s") {
            await shop.line(after: "storefront: playing ", within: DemoPlan.startTimeout)
        }
        guard let playing = opened,
            let total = playing.split(separator: " ").first.flatMap({ Int($0) })
        else {
            await shop.stop()
            throw DemoError("the shop did not open", details: shop.output)
        }
        terminal.item("shop", "playing \(playing), \(Int(plan.speed)) a second")
        var view = ProgressView(total: total, isTerminal: terminal.isInteractive)
        var (isUpdated, isStill) = (false, false)
        while shop.isRunning {
            try checkInterruption()
            let statistics = try await client.statistics()
            if !isUpdated, statistics.accountedFor >= total / 3 {
                isUpdated = true
                terminal.write(view.interruption)
                try await deployPlugins(version: 2, to: client)
            }
            if let text = view.update(statistics) {
                if isStill { Waiting.end() }
                isStill = false
                terminal.write(text)
            } else if !isStill {
                isStill = true
                Waiting.begin("the shop to send its events; at its end it takes at most \(DemoPlan.flushTimeout) s")
            }
            try await Task.sleep(for: Self.look)
        }
        Waiting.end()
        try await finish(shop, client, &view)
    }

    private func finish(_ shop: ChildProcess, _ client: WorkspaceClient, _ view: inout ProgressView) async throws {
        let ending = await shop.ended()
        try checkInterruption()
        if let text = view.update(try await client.statistics()) { terminal.write(text) }
        if terminal.isInteractive { terminal.line() }
        switch ending {
        case .exit(0): break
        case .exit(1): terminal.item("shop", "did not send everything: " + (shop.output.last ?? ""))
        case .exit(let status): throw DemoError("the shop ended with status \(status)", details: shop.output)
        case .signal(let number): throw DemoError("the shop was ended by signal \(number)", details: shop.output)
        }
    }

    private func deployPlugins(version: Int, to client: WorkspaceClient) async throws {
        let file = plan.plugin(version: version)
        let source = try read(file)
        let deployed = try await client.deployPlugins(source)
        guard deployed == version else {
            throw DemoError("the workspace made version \(deployed) of \(file.lastPathComponent), not \(version)")
        }
        let occasion = version == 1 ? "" : ", while the shop is open"
        terminal.item("plugins", "version \(version) deployed, \(Grouped.text(source.count)) bytes\(occasion)")
    }

    // MARK: The books

    private func balanceEvents(_ client: WorkspaceClient) async throws -> EventBalance {
        var (tally, statistics) = try await count(client)
        let end = ContinuousClock.now + Self.patience
        Waiting.begin("the workspace to store what it acknowledged, at most \(Self.patience.components.seconds) s")
        defer { Waiting.end() }
        // A cluster lists events in order a moment after it has stored them.
        while try await client.waitingRequests() > 0 || tally.stored < statistics.stored, ContinuousClock.now < end {
            try checkInterruption()
            try await Task.sleep(for: Self.look)
            (tally, statistics) = try await count(client)
        }
        let bytes = [UInt8](try read(plan.summary))
        guard let json = try? JSON.parse(bytes) else { throw DemoError("the shop's summary is not JSON") }
        return EventBalance(
            summary: try ShopSummary(json: json), tally: tally, statistics: statistics,
            expected: plan.events == nil ? .shop : nil)
    }

    private func count(_ client: WorkspaceClient) async throws -> (EventTally, Statistics) {
        var tally = EventTally()
        try await client.visitEvents { tally.add($0) }
        return (tally, try await client.statistics())
    }

    private func show(
        _ balance: EventBalance, _ others: [String], _ address: String, _ server: ChildProcess?
    ) async throws {
        terminal.line()
        terminal.line(terminal.bold("Where every event went"))
        for line in EventBalanceTable(balance: balance).lines { terminal.line(line.isEmpty ? "" : "  " + line) }
        terminal.line()
        for problem in balance.problems + others { terminal.item("problem", problem) }
        terminal.item("page", "\(address)  (\(ending.text))")
        if keepsData { terminal.item("data", plan.folder.path) }
        terminal.line(balance.resultLine)
        if let server, ending == .onRequest, !interruption.isRaised { await untilTheEnd(of: server) }
        guard balance.problems.isEmpty, others.isEmpty else { throw ExitCode.failure }
    }

    private func untilTheEnd(of server: ChildProcess) async {
        await withTaskGroup { group in
            group.addTask {
                await interruption.wait()
                server.signal(SIGTERM)
            }
            group.addTask { _ = await server.ended() }
            await group.next()
            group.cancelAll()
        }
    }

    // MARK: Files

    @Sendable private func checkInterruption() throws {
        if interruption.isRaised { throw ExitCode(130) }
    }

    private func read(_ file: URL) throws(DemoError) -> Data {
        do {
            return try Data(contentsOf: file)
        } catch {
            throw DemoError("\(file.path) cannot be read")
        }
    }

    private func makeFolder() throws(DemoError) {
        do {
            try FileManager.default.createDirectory(at: plan.folder, withIntermediateDirectories: true)
        } catch {
            throw DemoError("\(plan.folder.path) cannot be made: \(error.localizedDescription)")
        }
    }

    private func removeFolder() {
        guard !keepsData else { return }
        try? FileManager.default.removeItem(at: plan.folder)  // in the system's temporary folder
    }
}
