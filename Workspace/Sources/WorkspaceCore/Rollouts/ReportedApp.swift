package import TributaryJSON

/// A version of an app and the actions that it allows to scripts, as its devices report them.
///
/// A client that says nothing about scripts allows everything, and so does every client of an earlier version.
package struct ReportedApp: Sendable, Hashable {
    /// Bytes of a version, and of each permission.
    private static let versionBytes = 40
    private static let permissionBytes = 80
    /// The most permissions, and their bytes together.
    private static let mostPermissions = 40
    private static let bytes = 600

    /// Nil when the app has no version.
    package let version: String?
    /// Sorted, each once; nil when scripts may do everything.
    package let allows: [String]?
    /// Whether the app allows more actions than these.
    package let isCut: Bool

    package init(version: String?, allows: [String]? = nil, isCut: Bool = false) {
        (self.version, self.allows, self.isCut) = (version, allows.map { Set($0).sorted() }, isCut)
    }

    /// Reads the member `app` of a report. A stranger may have written it, and a later client may say more than this server
    /// knows. So a report is not refused because of it: what cannot be used is left out.
    /// - Returns: nil when it says nothing.
    package init?(reported json: JSON?) {
        guard let object = json?.objectValue else { return nil }
        let version = object["version"]?.stringValue.flatMap { Self.isUsable($0, Self.versionBytes) ? $0 : nil }
        guard let list = object["allows"]?.elements else {
            guard let version else { return nil }
            self.init(version: version)
            return
        }
        var bytes = 0
        let usable = list.prefix(Self.mostPermissions).compactMap(\.stringValue).filter { permission in
            guard Self.isUsable(permission, Self.permissionBytes) else { return false }
            bytes += permission.utf8.count
            return bytes <= Self.bytes
        }
        self.init(version: version, allows: usable, isCut: object["isCut"] == true || usable.count < list.count)
    }

    /// Reads a stored one.
    package init(stored json: JSON) {
        self.init(
            version: json["version"]?.stringValue, allows: json["allows"]?.elements?.compactMap(\.stringValue),
            isCut: json["isCut"] == true)
    }

    private static func isUsable(_ text: String, _ bytes: Int) -> Bool {
        (1...bytes).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    /// The form in which it is stored and answered.
    package var json: JSONObject {
        var object: JSONObject = ["version": .string(version)]
        object["allows"] = allows.map { JSON.strings($0) } ?? .null
        object["isCut"] = .bool(isCut)
        return object
    }
}

/// How many devices have which version of an app.
package struct ReportedApps: Sendable, Equatable {
    /// The versions with the most devices first.
    package var versions: [(app: ReportedApp, devices: Int)] = []
    /// Devices of versions that are not kept, because there are too many.
    package var others = 0
    /// Devices that said nothing about their app.
    package var silent = 0

    package init() {}

    /// All devices that reported.
    package var devices: Int { versions.reduce(others + silent) { $0 + $1.devices } }

    /// The lists of permissions that versions restrict scripts to, those of the most devices first.
    package var restrictions: [AppRestriction] {
        var found: [AppRestriction] = []
        for (app, devices) in versions {
            guard let allows = app.allows else { continue }
            if let place = found.firstIndex(where: { $0.allows == allows && $0.isCut == app.isCut }) {
                found[place].versions.append(app.version)
                found[place].devices += devices
            } else {
                found.append(
                    AppRestriction(allows: allows, isCut: app.isCut, versions: [app.version], devices: devices))
            }
        }
        return found.sorted { $0.devices > $1.devices }
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.others == other.others && one.silent == other.silent
            && one.versions.elementsEqual(other.versions) { $0.app == $1.app && $0.devices == $1.devices }
    }

    package var json: JSON {
        [
            "devices": .number(devices), "others": .number(others), "silent": .number(silent),
            "versions": .array(versions.map(Self.json)),
        ]
    }

    private static func json(_ version: (app: ReportedApp, devices: Int)) -> JSON {
        var object = version.app.json
        object["devices"] = .number(version.devices)
        return .object(object)
    }
}

/// The versions of an app that restrict scripts to the same actions.
package struct AppRestriction: Sendable, Equatable {
    package let allows: [String]
    /// Whether the app allows more actions than these.
    package let isCut: Bool
    /// The versions; nil for devices of an app without a version.
    package fileprivate(set) var versions: [String?]
    /// How many devices have one of these versions.
    package fileprivate(set) var devices: Int

    package init(allows: [String], isCut: Bool = false, versions: [String?], devices: Int) {
        (self.allows, self.isCut, self.versions, self.devices) = (allows, isCut, versions, devices)
    }

    package var json: JSONObject {
        [
            "versions": .array(versions.map { .string($0) }), "devices": .number(devices), "allows": .strings(allows),
            "isCut": .bool(isCut),
        ]
    }

    package init(_ json: JSON) {
        self.init(
            allows: json["allows"]?.elements?.compactMap(\.stringValue) ?? [], isCut: json["isCut"] == true,
            versions: json["versions"]?.elements?.map(\.stringValue) ?? [], devices: json["devices"]?.intValue ?? 0)
    }
}
