// swift-tools-version: 6.1
import PackageDescription

/// Applied to every target: Swift 6 language mode comes with the tools version, these make intent visible.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Each executable links only what it measures: JavaScriptCore alone would make a client's start and memory another's.
let package = Package(
    name: "tributary-benchmarks",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "tributary", path: "..")
    ],
    targets: [
        .target(name: "Measuring", swiftSettings: settings),
        .executableTarget(
            name: "ClientBenchmarks",
            dependencies: [
                "Measuring",
                .product(name: "Tributary", package: "tributary"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "LiveBenchmarks",
            dependencies: [
                "Measuring",
                .product(name: "AnalyticsLive", package: "tributary"),
                .product(name: "Tributary", package: "tributary"),
                .product(name: "TributaryFilters", package: "tributary"),
                .product(name: "TributaryJSON", package: "tributary"),
                .product(name: "TributaryPluginTestKit", package: "tributary"),
                .product(name: "TributaryScript", package: "tributary"),
            ],
            swiftSettings: settings
        ),
    ]
)
