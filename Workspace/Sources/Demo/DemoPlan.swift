import Foundation

/// The plan of a run: programs, files and arguments.
struct DemoPlan: Equatable {
    static let writeKey = "demo"
    /// Seconds in which the workspace must be ready; a cold disk takes a few.
    static let startTimeout = 30.0
    /// Seconds in which the shop must have sent everything at its end.
    static let flushTimeout = 120

    let server: URL
    let shop: URL
    let fleet: URL
    /// Live plugins and filters to deploy.
    let files: URL
    /// The folder for the data of the workspace and of the shop's client; made by the demo.
    let folder: URL
    let events: String?
    let speed: Double
    let port: Int
    /// The secret needs no protection: the workspace of the demo and its data are deleted at the end.
    let token: String
    /// A workspace that runs already; nil when the demo starts one.
    let workspace: String?
    /// Whether a broken version is rolled out and taken back.
    let hasRollout: Bool

    /// - Parameters:
    ///   - repository: nil for the repository above the program's folder.
    ///   - workspace: a workspace that runs already.
    ///   - token: its admin token; a workspace that the demo starts gets one of its own.
    init(
        programFolder: URL, repository: String?, events: String?, speed: Double?, port: Int,
        workspace: String? = nil, token: String? = nil, hasRollout: Bool = true
    ) throws(DemoError) {
        server = try Self.program("tributary", in: programFolder)
        shop = try Self.program("storefront", in: programFolder)
        fleet = try Self.program("tributary-fleet", in: programFolder)
        files = try Self.demoFiles(repository.map { URL(fileURLWithPath: $0) }, programFolder)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tributary-demo-\(UUID().uuidString)")
        if let events, !FileManager.default.isReadableFile(atPath: events) {
            throw DemoError("\(events) cannot be read")
        }
        self.events = events
        self.speed = speed ?? (events == nil ? 400 : 700)
        self.port = port
        (self.workspace, self.hasRollout) = (workspace, hasRollout)
        guard workspace != nil else {
            self.token = "demo-\(UUID().uuidString.lowercased())"
            return
        }
        guard let token, !token.isEmpty else {
            throw DemoError("TRIBUTARY_ADMIN_TOKEN has to hold the token of the workspace")
        }
        self.token = token
    }

    var summary: URL { folder.appendingPathComponent("summary.json") }
    var filter: URL { files.appendingPathComponent("filter.json") }

    func plugin(version: Int) -> URL { files.appendingPathComponent("plugin-v\(version).js") }

    var serverArguments: [String] {
        [
            "serve", "--port", "\(port)", "--data", folder.appendingPathComponent("workspace").path, "--write-key",
            Self.writeKey,
        ]
    }

    var serverEnvironment: [String: String] { ["TRIBUTARY_ADMIN_TOKEN": token] }

    func shopArguments(server: String) -> [String] {
        var arguments = [
            "--server", server, "--write-key", Self.writeKey, "--speed", "\(speed)", "--settings-interval", "1",
            "--require-settings", "--inspector", "--quiet", "--summary", summary.path, "--flush-timeout",
            "\(Self.flushTimeout)",
            "--storage",
            folder.appendingPathComponent("device").path,
        ]
        if let events { arguments += ["--events", events] }
        return arguments
    }

    private static func program(_ name: String, in folder: URL) throws(DemoError) -> URL {
        let url = folder.appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: url.path) else {
            throw DemoError("\(name) is not built; run scripts/demo, which builds it")
        }
        return url
    }

    private static func demoFiles(_ repository: URL?, _ programFolder: URL) throws(DemoError) -> URL {
        let inside = "Examples/Storefront/Demo"
        if let repository { return repository.appendingPathComponent(inside) }
        var folder = programFolder
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent(inside)
            if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
            folder.deleteLastPathComponent()
        }
        throw DemoError("this program is not inside a folder with \(inside); name the repository with --repository")
    }
}
