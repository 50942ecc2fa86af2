import Foundation
import TributaryJSON

/// The live plugins of a source that run in the workspace.
package struct WorkspaceScripts: Sendable, Equatable {
    package let source: Source
    /// The version for all events but those of the stage; nil when it does not run in the workspace.
    private let forAll: BundleVersion?
    /// The version for a share of devices; nil when none is staged.
    private let staged: BundleVersion?

    /// Nil when no version of the source runs in the workspace.
    package init?(_ source: Source) {
        let runs = { (version: BundleVersion?) in version?.isOff == false && version?.place.runsInWorkspace == true }
        self.source = source
        forAll = runs(source.bundleForAll) ? source.bundleForAll : nil
        staged = source.bundle?.isStaged == true ? source.bundle : nil
        guard forAll != nil || runs(staged) else { return nil }
    }

    /// The version that takes an event through its plugins; nil for none.
    ///
    /// A device says which version it has taken an event through, in `_metadata.livePlugins.device`. That is believed only where
    /// devices get the version at all, and only of versions that there are. The write key is public, so a stranger can say it,
    /// too. What must happen to every event is deployed for the workspace alone.
    package func version(for event: IncomingEvent) -> BundleVersion? {
        let version: BundleVersion?
        let device = event.anonymousId ?? event.userId ?? event.messageId
        if let staged,
            Rollout.has(device, of: .livePlugins, version: staged.version, percentage: staged.percentage)
        {
            version = staged.isOff || !staged.place.runsInWorkspace ? nil : staged
        } else {
            version = forAll
        }
        guard let version, version.place == .both, let claim = ScriptMark.deviceVersion(in: event.body) else {
            return version
        }
        return (1...(source.bundle?.version ?? 0)).contains(claim) ? nil : version
    }
}

/// The member of an event that says which version of the live plugins it was taken through, and where:
/// `_metadata.livePlugins`, with the members `device` and `workspace`.
package enum ScriptMark {
    private static let metadata: StaticString = "_metadata"
    private static let member = "livePlugins"

    /// The version that a device has taken an event through, as the event says; nil when it says none.
    package static func deviceVersion(in body: [UInt8]) -> Int64? {
        guard body.contains(name: metadata), let event = try? JSON.parse(body) else { return nil }
        return event["\(metadata)"]?[member]?["device"]?.intValue.map(Int64.init)
    }

    /// The text of an event with the version that the workspace has taken it through.
    package static func marked(_ body: [UInt8], version: Int64) -> [UInt8] {
        guard body.contains(name: metadata) else {
            let mark = #""\#(metadata)":{"\#(member)":{"workspace":\#(version)}}}"#
            // The text is a JSON object with at least one member, without space.
            return body.dropLast() + Array(",".utf8) + Array(mark.utf8)
        }
        guard var event = try? JSON.parse(body) else { return body }
        var metadata = event["\(Self.metadata)"]?.objectValue ?? JSONObject()
        var versions = metadata[member]?.objectValue ?? JSONObject()
        versions["workspace"] = .number(version)
        metadata[member] = .object(versions)
        event["\(Self.metadata)"] = .object(metadata)
        return event.encoded()
    }
}

extension [UInt8] {
    /// Whether a member of that name may be in the text. A name in another spelling, with escapes, is not found.
    fileprivate func contains(name: StaticString) -> Bool {
        withUnsafeBytes { text in
            guard var rest = text.baseAddress else { return false }
            let end = rest + text.count
            while end - rest >= name.utf8CodeUnitCount,
                let found = memchr(rest, Int32(name.utf8Start[0]), end - rest - name.utf8CodeUnitCount + 1)
            {
                if memcmp(found, name.utf8Start, name.utf8CodeUnitCount) == 0 { return true }
                rest = UnsafeRawPointer(found) + 1
            }
            return false
        }
    }
}
