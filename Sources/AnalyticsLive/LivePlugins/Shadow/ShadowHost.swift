import Foundation
import Tributary
import TributaryJSON
import TributaryScript

/// Loads the shadow that the settings name, and ends it.
///
/// A shadow is not stored on disk, so no later launch can take it for a version that worked. It ends for this launch when it
/// cannot be loaded, when its engine fails, and when the settings name it no longer. After an end of the process in its
/// scripts, it does not run on this device again.
///
/// Only used on the client's executor.
final class ShadowHost {
    /// The shadow that runs; nil while there is none.
    private(set) var version: ShadowVersion?
    private unowned let owner: LivePlugins
    private let marker: RunMarker?
    private let isPowerLow: () -> Bool
    private var asked: BundleReference?
    /// The number of the current request. An answer to an older one is too late.
    private var request = 0
    /// Counts the last shadow.
    private var counter: ShadowCounter?

    /// - Parameter isPowerLow: whether the device saves power now.
    init(_ owner: LivePlugins, marker: RunMarker?, isPowerLow: @escaping () -> Bool) {
        (self.owner, self.marker, self.isPowerLow) = (owner, marker, isPowerLow)
    }

    /// Fetches the shadow of new settings, or ends the present one.
    func update(_ settings: Settings) {
        let reference = BundleReference(shadowOf: settings.edgeFunction, device: owner.analytics?.anonymousId)
        guard reference != asked else {
            version?.update(settings: .object(settings.document), initial: false)
            return
        }
        end()
        asked = reference
        guard let reference else { return }
        request += 1
        let number = request
        owner.source?.shadow(reference) { [weak owner] supply in
            guard let owner else { return }
            owner.analytics?.performBetweenEvents {
                guard let shadows = owner.shadows, shadows.request == number else { return }
                shadows.arrived(supply, reference)
            }
        }
    }

    /// Begins again with the variables and values of a new start.
    func restart() {
        asked = nil
        update(owner.settings)
    }

    /// Ends the shadow. The next health report has its counts.
    func end() {
        request += 1
        asked = nil
        version?.runtime.teardown()
        version = nil
        owner.shadowChanged()
    }

    /// Ends the shadow when its engine has failed.
    func check() {
        guard let version else { return }
        if counter?.takeFirstFault() == true { owner.analytics?.reportHealthSoon() }
        guard let failure = version.runtime.failure else { return }
        refuse(version.bundle, failure)
        let reference = asked
        end()
        // The same settings do not bring it back.
        asked = reference
    }

    func takeHealth() -> [HealthPart] { counter.map { [.shadow($0.take())] } ?? [] }

    /// The names of mark files that were written again.
    func restoreFiles() -> [String] { marker.flatMap { $0.restore() ? [$0.fileName] : [] } ?? [] }

    /// Checks whether the previous process ended in the scripts of a shadow. One end is enough: it is no loss when a shadow
    /// does not run here.
    func considerLastEnd() {
        do {
            guard let death = try marker?.examine() else { return }
            begin(death.bundle.version).count(.quarantined)
            owner.putAway(death.bundle, "the app ended while it ran as a shadow")
        } catch {
            owner.report("it is unknown whether the app ended in a shadow last time: \(error)")
        }
    }

    private func arrived(_ supply: BundleSupply, _ reference: BundleReference) {
        switch supply {
        case .bundle(let bundle, _): install(bundle)
        case .nothing: break
        case .failure(let reason, let incident, _):
            owner.report("the shadow, version \(reference.version), is not available: \(reason)")
            begin(String(reference.version)).count(incident)
            // The next settings bring the next try.
            asked = nil
        case .quarantined(let bundle, let reason, _):
            owner.report("version \(bundle.versionText) does not run as a shadow: \(reason)")
            begin(bundle.versionText).count(.quarantined)
        }
    }

    private func install(_ bundle: ScriptBundle) {
        guard let analytics = owner.analytics else { return }
        let counter = begin(bundle.versionText)
        let bridge = ShadowBridge(analytics, stored: owner.storage.all)
        do {
            try marker?.begin(bundle.identity)
        } catch {
            owner.report("a crash in the shadow, version \(bundle.versionText), would not be noticed: \(error)")
        }
        do {
            marker?.enter(.load)
            defer { marker?.leave() }
            let runtime = try owner.load(bundle, bridge, isWithdrawn: withdrawal())
            version = ShadowVersion(bundle, runtime, bridge, counter: counter, marker: marker, isPowerLow: isPowerLow)
        } catch {
            counter.count(.loadFailed)
            return refuse(bundle, error)
        }
        owner.report("version \(bundle.versionText) runs as a shadow", severity: .notice)
        version?.update(settings: .object(owner.settings.document), initial: true)
        owner.shadowChanged()
        check()
    }

    private func refuse(_ bundle: ScriptBundle, _ error: ScriptError) {
        owner.report("version \(bundle.versionText) does not run as a shadow: \(error)")
        if error.isBreach { owner.putAway(bundle.identity, "it was stopped as a shadow: \(error.message)") }
        if counter?.takeFirstFault() == true { owner.analytics?.reportHealthSoon() }
    }

    /// Whether the newest settings name no shadow any more. Then a running script is stopped before its budget is used up.
    private func withdrawal() -> () -> Bool {
        { [weak analytics = owner.analytics] in
            guard let analytics, let settings = analytics.settings() else { return false }
            return BundleReference(shadowOf: settings.edgeFunction, device: analytics.anonymousId) == nil
        }
    }

    private func begin(_ version: String) -> ShadowCounter {
        if let counter, counter.version == version { return counter }
        let next = ShadowCounter(version: version)
        counter = next
        return next
    }
}
