import Tributary
import TributaryScript

/// Reports of scripts to the app.
extension LivePlugins {
    /// Reports what plugins did at a notice, such as `reset`.
    func report(_ steps: [LivePluginStep], of bundleVersion: LivePluginBundleVersion) {
        reportFaults(steps)
        bundleVersion.counter.count(steps)
        reportFirstFault(bundleVersion.counter)
        if let failure = bundleVersion.runtime.failure { giveUp(bundleVersion, failure) }
    }

    /// Reports what plugins did to an event.
    func report(_ result: LivePluginStageResult, of bundleVersion: LivePluginBundleVersion) {
        reportFaults(result.steps.filter { !bundleVersion.hasReportedRefusal($0) })
        reportFirstFault(bundleVersion.counter)
        if let collision = result.collision { report(collision: collision, of: bundleVersion) }
        if let failure = bundleVersion.runtime.failure { giveUp(bundleVersion, failure) }
    }

    func reportFaults(_ steps: [LivePluginStep]) {
        for step in steps {
            guard case .failed(let fault) = step.outcome else { continue }
            analytics?.report(Diagnostic(.pluginFault, fault.text, plugin: step.plugin))
            exceptionHandler?(ScriptError(.exception, fault.message, line: fault.line, file: fault.file))
        }
    }

    /// Reports a collision once for a version, because it would be the same for each event.
    private func report(collision: String, of bundleVersion: LivePluginBundleVersion) {
        guard !bundleVersion.hasReportedCollision else { return }
        bundleVersion.hasReportedCollision = true
        report(
            "a script copied one of two numbers that are equal in JavaScript: \(collision); the copy stays "
                + "as JavaScript wrote it")
    }
}

extension LivePluginType {
    /// The place of scripts for a type of native plugins; nil for types that scripts cannot have.
    init?(_ type: PluginType) {
        switch type {
        case .before: self = .before
        case .enrichment: self = .enrichment
        case .after: self = .after
        case .destination, .utility: return nil
        }
    }
}

extension LivePluginFault {
    /// The fault on one line, with its place in the script.
    package var text: String {
        let place = [file, line.map(String.init)].compactMap { $0 }.joined(separator: ":")
        return message + (place.isEmpty ? "" : " (\(place))")
            + (isSwitchedOff ? "; the plugin is off until the next version" : "")
    }
}

extension HostedStep {
    init(_ step: LivePluginStep) {
        switch step.outcome {
        case .unchanged: self.init(plugin: step.plugin, outcome: .unchanged)
        case .changed: self.init(plugin: step.plugin, outcome: .changed)
        case .dropped: self.init(plugin: step.plugin, outcome: .dropped)
        case .failed(let fault): self.init(plugin: step.plugin, outcome: .failed, note: fault.text)
        }
    }
}
