import Foundation
import WorkspaceCore
import WorkspaceServer

/// Gets the values of a new workspace: from options, from a person, or the usual ones. It checks each as `serve` does.
struct SetupWizard {
    /// Shows a question and returns the answer; nil when no more come. There is none when nothing is asked.
    let ask: ((String) -> String?)?

    /// - Throws: `Failure` for an option that cannot be used, or when the answers end.
    func setup(
        data: String?, host: String?, port: String?, https: HTTPSChoice?, certificate: String?, key: String?,
        retainDays: String?
    ) async throws(Failure) -> Setup {
        let data = try await value(data, "Folder of the data", usual: "tributary-data", SetupCheck.folder)
        let host = try await value(
            host, "Address to listen on (127.0.0.1: this machine only, 0.0.0.0: all networks)", usual: "127.0.0.1",
            SetupCheck.host)
        let port = try await value(port, "Port", usual: "8484") { text async throws(Failure) in
            try await SetupCheck.port(text, of: host)
        }
        let encryption = try await encryption(https, certificate, key)
        let days = try await value(
            retainDays, "Days that events are kept (0 keeps all)", usual: "90", SetupCheck.retainDays)
        return Setup(data: data, host: host, port: port, encryption: encryption, retainDays: days)
    }

    private func encryption(
        _ choice: HTTPSChoice?, _ certificate: String?, _ key: String?
    ) async throws(Failure) -> Setup.Encryption {
        let choice = try await value(
            choice?.rawValue, "https (no, development: a certificate for tests, or certificate: your own)", usual: "no",
            SetupCheck.https)
        switch choice {
        case .no: return .none
        case .development: return .development
        case .certificate: break
        }
        while true {
            let file = try await value(certificate, "File of the certificate and its chain (PEM)", SetupCheck.file)
            let keyFile = try await value(key, "File of its key (PEM)", SetupCheck.file)
            do throws(WorkspaceError) {
                _ = try TLSIdentity(certificate: file, key: keyFile)
                return .certificate(file, key: keyFile)
            } catch {
                guard ask != nil, certificate == nil || key == nil else { throw Failure(error.description) }
                Console.error(error.description)
            }
        }
    }

    /// Asks until the answer can be used. An option is not asked for again.
    /// - Parameter usual: the value of an empty answer; nil when there is none.
    private func value<Value>(
        _ option: String?, _ question: String, usual: String? = nil,
        _ read: (String) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if let option { return try await read(option) }
        guard let ask else {
            guard let usual else { throw Failure("--https certificate needs --tls-certificate and --tls-key") }
            return try await read(usual)
        }
        while true {
            guard let line = ask(question + (usual.map { " [\($0)]" } ?? "")) else {
                throw Failure("nothing was written")
            }
            let answer = line.trimmingCharacters(in: .whitespaces)
            do throws(Failure) {
                return try await read(answer.isEmpty ? usual ?? "" : answer)
            } catch {
                Console.error(error.description)
            }
        }
    }
}
