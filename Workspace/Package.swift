// swift-tools-version: 6.2
import PackageDescription

/// Applied to every target: Swift 6 language mode comes with the tools version, these make intent visible.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // A debug build compiles the files of a target in batches. Each batch reads the whole target again, and 25 files of a
    // batch, the default, make 20 batches of the largest targets. Fewer and larger ones halve a clean build.
    .unsafeFlags(["-driver-batch-size-limit", "400"], .when(configuration: .debug)),
]

/// The package manager names a package after its folder. A clone in a folder named `workspace` would therefore give the
/// client the name of this package. Then the client is taken by way of a link with another name.
let isNamedLikeClone = Context.packageDirectory.lowercased().hasSuffix("/workspace/workspace")

let package = Package(
    name: "tributary-workspace",
    platforms: [.macOS(.v14)],
    products: [
        .library(name: "WorkspaceServer", targets: ["WorkspaceServer"]),
        .executable(name: "tributary", targets: ["TributaryCommand"]),
        .executable(name: "tributary-demo", targets: ["Demo"]),
        .executable(name: "tributary-fleet", targets: ["Fleet"]),
        .executable(name: "storefront", targets: ["Storefront"]),
    ],
    dependencies: [
        .package(name: "tributary", path: isNamedLikeClone ? "tributary" : ".."),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", "3.12.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.10.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess.git", from: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-system.git", from: "1.5.0"),
    ],
    targets: [
        // What a workspace knows without HTTP: values, reading and indexing of requests, storage, roll-outs, the catalog.
        .target(
            name: "WorkspaceCore",
            dependencies: [
                "CSQLiteChanges", "GzipReading",
                .product(name: "TributaryFilters", package: "tributary"),
                .product(name: "TributaryJSON", package: "tributary"),
                .product(name: "TributaryJournal", package: "tributary"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        // The server of one machine: HTTP, routes, the page, forwarding.
        .target(
            name: "WorkspaceServer",
            dependencies: [
                "CLibPQ", "CWorkerProcess", "CWorkspaceFileStatus", "CWorkspaceZlib", "GzipReading", "WorkspaceCore",
                "WorkspaceFiles",
                .product(name: "TributaryFilters", package: "tributary"),
                .product(name: "TributaryFilterTestKit", package: "tributary"),
                .product(name: "TributaryJSON", package: "tributary"),
                .product(name: "TributaryJournal", package: "tributary"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings
        ),
        // A node of a cluster: the log, the partitions and who stores them, settings that all nodes share, ClickHouse.
        .target(
            name: "WorkspaceCluster",
            dependencies: [
                "CSQLiteChanges", "WorkspaceCore", "WorkspaceServer",
                .product(name: "TributaryJSON", package: "tributary"),
                .product(name: "TributaryJournal", package: "tributary"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        // Not named like its product: on a file system that ignores case, `tributary` and the client's module
        // `Tributary` would be one file.
        .executableTarget(
            name: "TributaryCommand",
            dependencies: [
                "WorkspaceCluster", "WorkspaceCore", "WorkspaceServer", "CWorkerProcess", "CWorkspaceZlib",
                "ProgramSupport",
                .product(name: "AnalyticsLive", package: "tributary"),
                .product(name: "TributaryFilters", package: "tributary"),
                .product(name: "TributaryFilterTestKit", package: "tributary"),
                .product(name: "TributaryJSON", package: "tributary"),
                .product(name: "TributaryJournal", package: "tributary"),
                .product(name: "TributaryPluginTestKit", package: "tributary"),
                .product(name: "TributaryScript", package: "tributary"),
                .product(name: "TributaryTesting", package: "tributary"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
        // How a server uses the client; not a product.
        .executableTarget(
            name: "ExampleServer",
            dependencies: [
                .product(name: "Tributary", package: "tributary"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        // What the benchmarks compare the server with; not a product.
        .executableTarget(
            name: "IngestFloor",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Demo",
            dependencies: [
                "ProgramSupport",
                .product(name: "TributaryJSON", package: "tributary"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings
        ),
        // The page and the description of the API, which the C compiler embeds.
        .target(name: "WorkspaceFiles"),
        // How a program uses the client; here, because an app that adds the client must not resolve its dependencies.
        .executableTarget(
            name: "Storefront",
            dependencies: [
                "GzipReading", "ProgramSupport",
                .product(name: "AnalyticsLive", package: "tributary"),
                .product(name: "Tributary", package: "tributary"),
                .product(name: "TributaryJSON", package: "tributary"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        // Many clients in one program, for the demo and for tests of roll-outs.
        .executableTarget(
            name: "Fleet",
            dependencies: [
                "ProgramSupport",
                .product(name: "AnalyticsLive", package: "tributary"),
                .product(name: "Tributary", package: "tributary"),
                .product(name: "TributaryJSON", package: "tributary"),
                .product(name: "TributaryTesting", package: "tributary"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        // What the programs of this package share.
        .target(name: "ProgramSupport", swiftSettings: settings),
        // Inflates requests of clients and files of the shop.
        .target(name: "GzipReading", dependencies: ["CWorkspaceZlib"], swiftSettings: settings),
        // Records and applies changes of a database, with an extension of SQLite that the database library does not offer.
        .target(name: "CSQLiteChanges", linkerSettings: [.linkedLibrary("sqlite3")]),
        // The status of a file, in types that each source file can use.
        .target(name: "CWorkspaceFileStatus"),
        // The client library of PostgreSQL, which is looked for when the program runs.
        .target(name: "CLibPQ", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // Starts the processes in which scripts of sources run, and takes their rights.
        .target(name: "CWorkerProcess"),
        .systemLibrary(name: "CWorkspaceZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // Starts the servers of other makers that the tests of a cluster need, and has the contracts of its parts; not a product.
        .target(
            name: "ClusterTestKit", dependencies: ["WorkspaceCluster", "WorkspaceCore", "WorkspaceServer"],
            swiftSettings: settings),
        .testTarget(
            name: "WorkspaceServerTests",
            dependencies: [
                "WorkspaceCluster", "WorkspaceCore", "WorkspaceServer", "TributaryCommand", "ProgramSupport",
                "ClusterTestKit", "CWorkspaceZlib", "GzipReading",
                .product(name: "TributaryJSON", package: "tributary"),
                .product(name: "TributaryTesting", package: "tributary"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DemoTests",
            dependencies: ["Demo", "ProgramSupport", .product(name: "TributaryJSON", package: "tributary")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ExampleServerTests",
            dependencies: [
                "ExampleServer",
                .product(name: "Tributary", package: "tributary"),
                .product(name: "TributaryJSON", package: "tributary"),
                .product(name: "TributaryTesting", package: "tributary"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StorefrontTests",
            dependencies: [
                "Storefront", "ProgramSupport",
                .product(name: "Tributary", package: "tributary"),
                .product(name: "TributaryJSON", package: "tributary"),
                .product(name: "TributaryTesting", package: "tributary"),
            ],
            swiftSettings: settings
        ),
        // Runs the real programs; the dependencies make sure that they are built beside the tests.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Demo", "Fleet", "Storefront", "TributaryCommand",
                .product(name: "AnalyticsLive", package: "tributary"),
                .product(name: "Tributary", package: "tributary"),
                .product(name: "TributaryEncryption", package: "tributary"),
                .product(name: "TributaryJSON", package: "tributary"),
                .product(name: "TributaryTesting", package: "tributary"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
    ],
    // The standard that has #embed.
    cLanguageStandard: .c2x
)

// The program of `scripts/fuzz ingest`, which needs a compiler option that would be in everybody else's way.
if Context.environment["TRIBUTARY_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "tributary-ingest-fuzz",
            dependencies: [
                "WorkspaceCore", "WorkspaceServer", .product(name: "CFuzzer", package: "tributary"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "TributaryJSON", package: "tributary"),
            ],
            path: "Fuzz", swiftSettings: settings))
}

// What needs the C library of NATS: the log and the records of a cluster, their tests, and the program of
// `scripts/cluster-test`. Whoever runs one machine builds without it.
if Context.environment["TRIBUTARY_CLUSTER"] != nil {
    package.targets += [
        .systemLibrary(name: "CNats", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
        .target(
            name: "ClusterNATS",
            dependencies: [
                "WorkspaceCluster", "WorkspaceCore", "CNats",
                .product(name: "TributaryJSON", package: "tributary"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ClusterTest",
            dependencies: [
                "WorkspaceCluster", "WorkspaceCore", "WorkspaceServer", "ClusterNATS", "ClusterTestKit",
                "ProgramSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "TributaryJSON", package: "tributary"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ClusterTests",
            dependencies: [
                "WorkspaceCluster", "WorkspaceCore", "WorkspaceServer", "ClusterNATS", "ClusterTestKit",
                "ProgramSupport",
                .product(name: "TributaryJSON", package: "tributary"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
    ]
    for target in package.targets where target.name == "TributaryCommand" {
        target.dependencies.append("ClusterNATS")
        target.swiftSettings = settings + [.define("TRIBUTARY_CLUSTER")]
    }
}
