import Dispatch
import Foundation
import Tributary
import TributaryRules
import TributaryScript

/// Chooses and runs the bundle.
extension LivePlugins {
    /// Seconds until a failed download is tried again, doubled each time up to the last one.
    private static let retryDelays: [TimeInterval] = [2, 4, 8, 16, 32, 64, 128, 300]

    func fetch(_ reference: BundleReference?) {
        request += 1
        let number = request
        source?.bundle(for: reference) { [weak self] supply in
            guard let self else { return }
            analytics?.performBetweenEvents { self.arrived(supply, for: reference, number) }
        }
    }

    private func arrived(_ supply: BundleSupply, for reference: BundleReference?, _ number: Int) {
        guard number == request else { return }
        switch supply {
        case .bundle(let bundle, _) where isOlder(bundle):
            report("version \(bundle.versionText) is older than the running one", severity: .notice)
        case .bundle(let bundle, let isNew):
            if install(bundle) {
                if isNew { keep(bundle) }
            } else {
                installSpare(besides: bundle)
            }
        case .nothing:
            if running != nil { report("live plugins are switched off", severity: .notice) }
            stop()
        case .failure(let reason, let incident, let spare):
            report("version \(reference?.version ?? 0) is not available: \(reason)")
            if let reference { count(incident, of: String(reference.version)) }
            if running == nil, let spare { fallBack(to: spare) }
            retry(reference, number)
        case .quarantined(let bundle, let reason, let spare):
            report("version \(bundle.versionText) does not run again: \(reason)")
            count(.quarantined, of: bundle.versionText)
            if running == nil, let spare { fallBack(to: spare) }
        }
        isSettled = true
        follower?.scriptsSettled()
        analytics?.resumeEventProcessing(plugin: self)
    }

    /// Versions only grow, so older settings have arrived late.
    private func isOlder(_ bundle: ScriptBundle) -> Bool {
        guard let version = bundle.version, let current = running?.bundle.version else { return false }
        return version < current
    }

    /// Runs a bundle instead of the present one. When the new one does not load, the present one stays.
    @discardableResult
    private func install(_ bundle: ScriptBundle) -> Bool {
        guard bundle != running?.bundle else { return true }
        guard let analytics else { return false }
        mark(bundle)
        do {
            let client = LivePluginClient(
                analytics: analytics, storage: storage, others: others, counter: counter(of: bundle.versionText),
                nextSignalIndex: { [weak self] in self?.nextSignalIndex() ?? 0 })
            let runtime = try inside(.load, of: nil) { () throws(ScriptError) in
                try load(bundle, client, isWithdrawn: withdrawal(of: bundle))
            }
            let bundleVersion = LivePluginBundleVersion(bundle, runtime, client, owner: self)
            stop()
            running = bundleVersion
            let names = runtime.registrations.map(\.name).joined(separator: ", ")
            report("version \(bundle.versionText) runs: \(names.isEmpty ? "no plugins" : names)", severity: .notice)
            let steps = inside(.update, of: bundleVersion) {
                runtime.update(settings: .object(settings.document), initial: true)
            }
            report(steps, of: bundleVersion)
            return true
        } catch {
            let other = running.map { "; version \($0.bundle.versionText) stays" } ?? ""
            report("version \(bundle.versionText) is refused\(other): \(error)")
            exceptionHandler?(error)
            count(.loadFailed, of: bundle.versionText)
            if (error as? ScriptError)?.isBreach == true {
                putAway(bundle, "it exceeded its budget while it was loaded")
            }
            if let running { mark(running.bundle) }
            return false
        }
    }

    /// Starts a runtime with the plugins as data, where the bundle has them; otherwise with its script.
    /// - Parameter isWithdrawn: see `LivePluginRuntime`.
    func load(
        _ bundle: ScriptBundle, _ bridge: any LivePluginBridge, isWithdrawn: (() -> Bool)?
    ) throws(ScriptError) -> any PluginRuntime {
        if accept == .dataOnly, !localJSURLs.isEmpty {
            report("the app runs data only, so its local scripts do not run")
        }
        // Local scripts and the bundle share their names, so they need one engine.
        if accept == .dataOnly || localJSURLs.isEmpty, let data = try data(of: bundle, bridge) { return data }
        guard accept != .dataOnly else {
            throw ScriptError(
                .refused, "the app runs live plugins as data only, and this is a script", file: bundle.fileName)
        }
        return try script(of: bundle, bridge, isWithdrawn: isWithdrawn)
    }

    /// - Throws: when the app runs nothing else, and the data cannot be read.
    private func data(
        of bundle: ScriptBundle, _ bridge: any LivePluginBridge
    ) throws(ScriptError) -> RuleRuntime? {
        guard let text = BundleText(bundle.source).data else { return nil }
        do {
            return RuleRuntime(
                try RuleProgram(text: text), writeKey: analytics?.writeKey ?? "", version: bundle.versionText,
                fileName: bundle.fileName, faultLimit: budget.faults, permissions: permissions, bridge: bridge)
        } catch {
            let problem = "its data cannot be read: \(error)"
            if accept == .dataOnly { throw ScriptError(.refused, problem, file: bundle.fileName) }
            report("version \(bundle.versionText) runs as a script: \(problem)")
            return nil
        }
    }

    private func script(
        of bundle: ScriptBundle, _ bridge: any LivePluginBridge, isWithdrawn: (() -> Bool)?
    ) throws(ScriptError) -> LivePluginRuntime {
        let runtime = try LivePluginRuntime(
            writeKey: analytics?.writeKey ?? "", version: bundle.versionText, budget: budget,
            permissions: permissions, bridge: bridge, isWithdrawn: isWithdrawn)
        runtime.noticeHandler = { [weak self] steps in self?.reportFaults(steps) }
        do {
            for script in localScripts() { try runtime.load(source: script.source, name: script.name) }
            try runtime.load(source: bundle.source, name: bundle.fileName)
        } catch {
            runtime.teardown()
            throw error
        }
        if let failure = runtime.failure {
            runtime.teardown()
            throw failure
        }
        for script in runtime.unguardedScripts { report("\(script)") }
        if let advice = runtime.signalAdvice { report(advice) }
        reportSignalsNotAllowed(to: runtime)
        return runtime
    }

    /// Whether the newest settings name no bundle any more, or switch live plugins off. Then a running script is
    /// stopped before its budget is used up. The fallback comes with the app, so it is never withdrawn.
    ///
    /// The settings are asked and not `update`, because that waits until the running script has ended.
    private func withdrawal(of bundle: ScriptBundle) -> (() -> Bool)? {
        guard bundle.version != nil else { return nil }
        return { [weak analytics] in
            guard let analytics, let settings = analytics.settings() else { return false }
            return BundleReference(edgeFunction: settings.edgeFunction, device: analytics.anonymousId)?.url == nil
        }
    }

    /// Loads the running bundle again to clear its variables.
    func restart() {
        guard let bundle = running?.bundle else { return }
        stop()
        if !install(bundle) { installSpare(besides: bundle) }
    }

    /// Runs the last bundle that worked, when no bundle runs. Each bundle that fails is tried only once.
    private func installSpare(besides bundle: ScriptBundle) {
        guard running == nil, let spare = source?.spare(besides: bundle), !fallBack(to: spare) else { return }
        if let last = source?.spare(besides: spare), last != bundle { fallBack(to: last) }
    }

    /// Runs a bundle because the bundle of the settings does not run.
    @discardableResult
    private func fallBack(to spare: ScriptBundle) -> Bool {
        guard install(spare) else { return false }
        count(.fellBack, of: spare.versionText)
        return true
    }

    private func keep(_ bundle: ScriptBundle) {
        source?.keep(bundle) { [weak self] error in
            self?.report("version \(bundle.versionText) cannot be stored on disk: \(error)")
        }
    }

    private func retry(_ reference: BundleReference?, _ number: Int) {
        let delay = Self.retryDelays[min(attempts, Self.retryDelays.count - 1)]
        attempts += 1
        analytics?.time.schedule(after: delay, on: .global()) { [weak self] in
            guard let self else { return }
            analytics?.performBetweenEvents {
                if number == self.request { self.fetch(reference) }
            }
        }
    }

    // MARK: Quarantine

    /// The engine has failed. Another bundle takes over with the next event, because only one version processes an
    /// event.
    func giveUp(_ bundleVersion: LivePluginBundleVersion, _ failure: ScriptError) {
        report("the scripts were stopped: \(failure)")
        bundleVersion.runtime.teardown()
        let bundle = bundleVersion.bundle
        if bundleVersion === running { running = nil } else { retired.removeAll { $0 === bundleVersion } }
        guard failure.isBreach else { return }
        putAway(bundle, "it was stopped: \(failure.message)")
        // The next event waits for the bundle that takes over.
        analytics?.pauseEventProcessing(plugin: self)
        analytics?.performBetweenEvents { [weak self] in
            guard let self else { return }
            installSpare(besides: bundle)
            analytics?.resumeEventProcessing(plugin: self)
        }
    }

    /// Checks whether the previous process ended in a script.
    func considerLastEnd() {
        do {
            guard let death = try marker?.examine() else { return }
            let version = death.bundle.version
            guard death.count >= LivePluginLimits.deaths else {
                return report("the app ended while version \(version) was running")
            }
            putAway(death.bundle, "the app ended \(death.count) times in a row during the same work of it")
        } catch {
            report("it is unknown whether the app ended in a script last time: \(error)")
        }
    }

    private func putAway(_ bundle: ScriptBundle, _ reason: String) { putAway(bundle.identity, reason) }

    /// Puts a version into quarantine.
    func putAway(_ bundle: BundleIdentity, _ reason: String) {
        report("version \(bundle.version) is in quarantine: \(reason)")
        count(.quarantined, of: bundle.version)
        do {
            try quarantine?.add(bundle, reason: reason)
        } catch {
            report("the quarantine cannot be stored on disk: \(error)")
        }
    }

    /// From now on, a sudden end of the process counts against that bundle.
    private func mark(_ bundle: ScriptBundle) {
        do {
            try marker?.begin(bundle.identity)
        } catch {
            report("a crash in version \(bundle.versionText) would not be noticed: \(error)")
        }
    }

    /// Runs no scripts for the next events. The version with which an event began also ends it.
    func stop() {
        guard let bundleVersion = running else { return }
        running = nil
        bundleVersion.retire()
        guard !bundleVersion.isOver else { return bundleVersion.runtime.teardown() }
        retired.append(bundleVersion)
        guard retired.count > LivePluginLimits.retiredVersions else { return }
        let oldest = retired.removeFirst()
        oldest.runtime.teardown()
        report(
            "version \(oldest.bundle.versionText) is ended, although destinations still have events that began with it")
    }

    /// Called when the last event that began with a replaced version is done.
    func end(_ bundleVersion: LivePluginBundleVersion) {
        bundleVersion.runtime.teardown()
        retired.removeAll { $0 === bundleVersion }
    }
}

extension ScriptError {
    /// Whether a script exceeded its budget, as opposed to a mistake in it.
    var isBreach: Bool { reason == .timeExceeded || reason == .memoryExceeded }
}
