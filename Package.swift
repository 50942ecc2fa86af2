// swift-tools-version: 6.0
import PackageDescription

/// Applied to every target: Swift 6 language mode comes with the tools version, these make intent visible.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "tributary",
    platforms: [.macOS(.v10_15), .iOS(.v13), .tvOS(.v13), .watchOS(.v7), .visionOS(.v1)],
    products: [
        .library(name: "Tributary", targets: ["Tributary"]),
        .library(name: "TributaryTesting", targets: ["TributaryTesting"]),
        .library(name: "AnalyticsLive", targets: ["AnalyticsLive"]),
        .library(name: "TributaryJSON", targets: ["TributaryJSON"]),
        .library(name: "TributaryFilters", targets: ["TributaryFilters"]),
        .library(name: "TributaryFilterTrials", targets: ["TributaryFilterTrials"]),
        .library(name: "TributaryJournal", targets: ["TributaryJournal"]),
        .library(name: "TributaryEncryption", targets: ["TributaryEncryption"]),
        .library(name: "TributaryScript", targets: ["TributaryScript"]),
        .executable(name: "storefront", targets: ["Storefront"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", "3.12.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
    ],
    targets: [
        .target(name: "TributaryJSON", swiftSettings: settings),
        .target(name: "CChecksum"),
        .target(name: "TributaryJournal", dependencies: ["CChecksum"], swiftSettings: settings),
        .target(
            name: "TributaryEncryption",
            dependencies: ["TributaryJournal", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings
        ),
        .target(name: "TributaryFilters", dependencies: ["TributaryJSON"], swiftSettings: settings),
        .target(
            name: "TributaryFilterTrials",
            dependencies: ["TributaryFilters", "TributaryJSON"],
            swiftSettings: settings
        ),
        .target(
            name: "TributaryScript",
            dependencies: [.target(name: "CJavaScriptCore", condition: .when(platforms: [.linux]))],
            exclude: ["JavaScript"],
            swiftSettings: settings
        ),
        .target(
            name: "Tributary",
            dependencies: [
                "TributaryJSON", "TributaryJournal",
                .product(name: "Logging", package: "swift-log"),
                .target(name: "CZlib", condition: .when(platforms: [.linux])),
                .target(name: "CCurl", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        .target(name: "TributaryTesting", dependencies: ["Tributary", "TributaryJSON"], swiftSettings: settings),
        .target(
            name: "AnalyticsLive",
            dependencies: [
                "Tributary", "TributaryScript", "TributaryFilters",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: ["JavaScript"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Storefront",
            dependencies: [
                "Tributary", "AnalyticsLive",
                .target(name: "CZlib", condition: .when(platforms: [.linux])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Examples/Storefront/Sources",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "CrashTest",
            dependencies: [
                "Tributary", "TributaryJournal", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/CrashTest",
            swiftSettings: settings
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CJavaScriptCore",
            pkgConfig: "javascriptcoregtk-4.1",
            providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]
        ),
        .testTarget(name: "TributaryJSONTests", dependencies: ["TributaryJSON"], swiftSettings: settings),
        .testTarget(
            name: "TributaryJournalTests",
            dependencies: [
                "TributaryJournal", "TributaryEncryption", .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TributaryFiltersTests",
            dependencies: ["TributaryFilters", "TributaryFilterTrials", "TributaryJSON"],
            swiftSettings: settings
        ),
        .testTarget(name: "TributaryScriptTests", dependencies: ["TributaryScript"], swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: ["Tributary", "TributaryJournal", "TributaryTesting"],
            path: "Tests/Support",
            swiftSettings: settings
        ),
        .testTarget(
            name: "TributaryTestingTests",
            dependencies: ["TributaryTesting", "Tributary"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TributaryTests",
            dependencies: ["Tributary", "TributaryEncryption", "TestSupport"],
            exclude: ["Migration/Golden"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AnalyticsLiveTests",
            dependencies: ["AnalyticsLive", "Tributary", "TributaryScript", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StorefrontTests",
            dependencies: ["Storefront", "Tributary", "TestSupport"],
            swiftSettings: settings
        ),
    ]
)

// The programs of `scripts/fuzz`, which need a compiler option that would be in everybody else's way.
if Context.environment["TRIBUTARY_FUZZ"] != nil {
    package.targets += [
        .target(name: "CFuzzer", path: "Fuzz/CFuzzer"),
        .executableTarget(
            name: "tributary-fuzz",
            dependencies: ["CFuzzer", "Tributary", "TributaryFilters", "TributaryJSON", "TributaryJournal"],
            path: "Fuzz/Targets",
            swiftSettings: settings
        ),
    ]
}
