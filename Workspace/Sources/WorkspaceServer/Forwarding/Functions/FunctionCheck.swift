import Logging
import TributaryJSON
import WorkspaceCore

/// Checks the code of destination functions in a process of its own, before it is stored.
struct FunctionCheck: Sendable {
    /// The path of the program `tributary`; nil when this server runs no scripts.
    let program: String?
    let logger: Logger

    /// A change with what the class declares, and with the secrets as they are stored.
    /// - Parameters:
    ///   - old: the destination that is changed; nil for a new one.
    ///   - label: what names the process in lists of processes.
    /// - Throws: `Refusal` when the code cannot be used, or a setting or a secret is missing.
    func checked(
        _ change: Store.DestinationChange, of old: Destination?, label: String
    ) async throws(Refusal) -> Store.DestinationChange {
        guard change.secret == nil else {
            throw .invalid("a function has its secrets in secrets, an object of texts by name")
        }
        guard let json = change.settings ?? old?.settings else {
            throw .invalid("a new destination needs a kind and settings")
        }
        var change = change
        var settings = try FunctionSettings(json)
        if change.settings != nil {
            settings = try await read(settings, label: label)
            change.settings = settings.json
        }
        guard let declaration = settings.declaration else { return change }
        let stored = FunctionSecrets(stored: old?.secrets.current ?? [])
        let secrets = try stored.changed(
            change.secrets ?? [:], for: declaration.secrets + Self.secretsBefore(old, change))
        if change.isEnabled ?? old?.isEnabled ?? true { try secrets.checkComplete(for: declaration) }
        if secrets != stored || old == nil { change.secret = secrets.stored }
        change.revision = old?.revision
        return change
    }

    /// The secrets of the version before, which a roll-out still needs.
    private static func secretsBefore(
        _ old: Destination?, _ change: Store.DestinationChange
    ) throws(Refusal) -> [(name: String, isRequired: Bool)] {
        guard let old, let before = old.split?.before ?? (change.rollout == nil ? nil : old.settings) else { return [] }
        return try FunctionSettings(before).declaration?.secrets ?? []
    }

    /// The settings with what the class declares, and with the values in its types.
    private func read(_ given: FunctionSettings, label: String) async throws(Refusal) -> FunctionSettings {
        let (declaration, values) = try await worker(for: given, label: label).declaration()
        _ = try FunctionHosts(declaration.hosts, values: values)
        var settings = given
        settings.declaration = declaration
        for (name, _) in given.values { settings.values[name] = values[name] }
        return settings
    }

    /// Reads the declarations of the class of some code. They need no settings.
    /// - Throws: `Refusal` when the code cannot be used.
    func declaration(of code: String) async throws(Refusal) -> FunctionDeclaration {
        try await worker(code, values: nil, label: "check").declaration().0
    }

    /// Makes the worker that runs the code of these settings.
    func worker(for settings: FunctionSettings, label: String) throws(Refusal) -> FunctionWorker {
        try worker(settings.code, values: settings.values, label: label)
    }

    private func worker(_ code: String, values: JSONObject?, label: String) throws(Refusal) -> FunctionWorker {
        guard let program else { throw DestinationKind.withoutProgram }
        return FunctionWorker(
            FunctionWorker.Program(path: program, label: label), code: code, values: values, logger: logger)
    }
}
