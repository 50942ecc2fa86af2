import TributaryJSON

/// The app of a health report: its version, and the actions that it allows to scripts.
struct HealthApp: Sendable, Equatable {
    /// Bytes of a version, and of each permission. Permissions are compiled into the app, and are short.
    private static let versionBytes = 40
    private static let permissionBytes = 80
    /// The most permissions of a report, and their bytes together, so that counts have room beside them.
    private static let mostPermissions = 40
    private static let bytes = 600

    /// The version of the app; nil when its bundle has none.
    var version: String?
    /// The permissions, as `ScriptPermission` writes them; nil when scripts may do everything.
    var allows: [String]?
    /// The version of the app that made the counts; nil when it is not known, or when there were several.
    var counted: String?
    /// Whether several versions, or an unknown one, made the counts.
    var isMixed = false

    /// The member of a report; nil when there is nothing to say.
    ///
    /// `allows` is left out when scripts may do everything. When not all permissions fit, `isCut` says so.
    var json: JSON? {
        var object = JSONObject()
        object["version"] = version.map { .string($0.cut(to: Self.versionBytes)) }
        if let allows {
            let fitting = Self.fitting(allows)
            object["allows"] = .array(fitting.map(JSON.string))
            if fitting.count < allows.count { object["isCut"] = true }
        }
        if let counted, counted != version ?? "" { object["counted"] = .string(counted.cut(to: Self.versionBytes)) }
        if isMixed { object["isMixed"] = true }
        return object.isEmpty ? nil : .object(object)
    }

    private static func fitting(_ permissions: [String]) -> [String] {
        var bytes = 0
        return permissions.prefix(mostPermissions).filter { permission in
            guard permission.utf8.count <= permissionBytes else { return false }
            bytes += permission.utf8.count
            return bytes <= Self.bytes
        }
    }
}
