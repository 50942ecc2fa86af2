#if os(Linux)
import Foundation
import TributaryJSON

/// The facts that a Linux system has in files and in the environment.
///
/// The context has no host name, machine id or hardware address: they identify people and machines beyond this app.
struct LinuxContext: Sendable {
    /// The root of the file system; tests use another folder.
    var root = URL(fileURLWithPath: "/")
    var environment = ProcessInfo.processInfo.environment
    var processName = ProcessInfo.processInfo.processName

    var fixed: JSONObject {
        var members: JSONObject = ["app": .object(ContextReader.app ?? ["name": .string(processName)])]
        members["os"] = .object(system)
        members["device"] = .object(device)
        return members
    }

    var changing: JSONObject {
        var members = JSONObject()
        members["locale"] = locale.map(JSON.string)
        members["timezone"] = timezone.map(JSON.string)
        members["network"] = network.map(JSON.object)
        return members
    }

    // MARK: Fixed facts

    /// Name and version of the distribution, or of the kernel when there is no distribution.
    private var system: JSONObject {
        let release = ["etc/os-release", "usr/lib/os-release"].compactMap { text($0) }.first.map(OSRelease.init)
        var system: JSONObject = ["name": .string(release?.values["NAME"] ?? "Linux")]
        let version = release == nil ? text("proc/sys/kernel/osrelease") : release?.values["VERSION_ID"]
        system["version"] = version.map(JSON.string)
        return system
    }

    /// Manufacturer and model from the firmware, when this process may read them.
    private var device: JSONObject {
        var device: JSONObject = ["type": "linux"]
        device["manufacturer"] = firmware("sys/class/dmi/id/sys_vendor").map(JSON.string)
        let model = firmware("sys/class/dmi/id/product_name") ?? firmware("proc/device-tree/model")
        device["model"] = model.map(JSON.string)
        return device
    }

    /// Values that mean that the maker of a board filled in nothing.
    private static let placeholders: Set<String> = [
        "to be filled by o.e.m.", "default string", "system manufacturer", "system product name", "not specified",
        "none", "unknown", "o.e.m.", "oem", "n/a", "not applicable", "type1productconfigid",
    ]

    private func firmware(_ path: String) -> String? {
        text(path).flatMap { Self.placeholders.contains($0.lowercased()) ? nil : $0 }
    }

    // MARK: Changing facts

    /// The language of the environment, as the rules for its variables say; nil for one without any (`C`, `POSIX`).
    private var locale: String? {
        let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]
        guard let value = variables.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }) else { return nil }
        let language = value.prefix { $0 != "." && $0 != "@" }
        guard !language.isEmpty, language != "C", language != "POSIX" else { return nil }
        return language.replacingOccurrences(of: "_", with: "-")
    }

    /// The name of the time zone. Foundation reads it only once in the life of a process.
    private var timezone: String? {
        if let variable = environment["TZ"]?.drop(while: { $0 == ":" }), !variable.isEmpty {
            return TimeZone(identifier: String(variable))?.identifier
        }
        let link = try? FileManager.default.destinationOfSymbolicLink(
            atPath: root.appendingPathComponent("etc/localtime").path)
        if let range = link?.range(of: "/zoneinfo/"), let name = link?[range.upperBound...], !name.isEmpty {
            return String(name)
        }
        return text("etc/timezone")
    }

    /// The kind of interface that reaches the network; nil when that is not visible.
    private var network: JSONObject? {
        let folder = root.appendingPathComponent("sys/class/net")
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return nil }
        let up = names.filter { text("sys/class/net/\($0)/operstate") == "up" }
        let wifi = up.contains {
            FileManager.default.fileExists(atPath: folder.appendingPathComponent("\($0)/wireless").path)
        }
        return ["wifi": .bool(wifi), "cellular": .bool(up.contains { $0.hasPrefix("wwan") })]
    }

    /// The first bytes of a small text file, without surrounding spaces and zero bytes; nil for an empty or missing
    /// file.
    private func text(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: root.appendingPathComponent(path).path) else { return nil }
        defer { try? file.close() }  // nothing was written, so nothing is lost
        guard let data = try? file.read(upToCount: Limits.systemFileBytes) else { return nil }
        let text = String(decoding: data.filter { $0 != 0 }, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }
}
#endif
