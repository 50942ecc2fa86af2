// swift-tools-version: 6.2
import PackageDescription

/// Applied to every target: Swift 6 language mode comes with the tools version, these make intent visible.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A privacy manifest goes into the app on Apple's systems, where a resource costs nothing; elsewhere nobody reads it.
#if canImport(Darwin)
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
let notResources: [String] = []
#else
let privacyManifest: [Resource] = []
let notResources = ["PrivacyInfo.xcprivacy"]
#endif

let package = Package(
    name: "tributary",
    platforms: [.macOS(.v10_15), .iOS(.v13), .tvOS(.v13), .watchOS(.v7), .visionOS(.v1)],
    products: [
        .library(name: "Tributary", targets: ["Tributary"]),
        .library(name: "TributaryCommerce", targets: ["TributaryCommerce"]),
        .library(name: "TributaryObjC", targets: ["TributaryObjC", "TributaryObjCNames"]),
        .library(name: "TributaryTesting", targets: ["TributaryTesting"]),
        .library(name: "TributaryInspector", targets: ["TributaryInspector"]),
        .library(name: "AnalyticsLive", targets: ["AnalyticsLive"]),
        .library(name: "AnalyticsCompat", targets: ["AnalyticsCompat"]),
        .library(name: "TributaryJSON", targets: ["TributaryJSON"]),
        .library(name: "TributaryFilters", targets: ["TributaryFilters"]),
        .library(name: "TributaryFilterTestKit", targets: ["TributaryFilterTestKit"]),
        .library(name: "TributaryPluginTestKit", targets: ["TributaryPluginTestKit"]),
        .library(name: "TributaryJournal", targets: ["TributaryJournal"]),
        .library(name: "TributaryEncryption", targets: ["TributaryEncryption"]),
        .library(name: "TributaryScript", targets: ["TributaryScript"]),
    ],
    // An app resolves what stands here, whichever product it uses: nothing else may, see `scripts/test-consumer`.
    dependencies: [
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0")
    ],
    targets: [
        .target(name: "TributaryJSON", swiftSettings: settings),
        .target(name: "CTributaryChecksum"),
        .target(name: "CTributaryFiles"),
        .target(name: "CTributaryProcess"),
        .target(name: "CTributaryScripts"),
        .target(
            name: "TributaryJournal", dependencies: ["CTributaryChecksum", "CTributaryFiles"], exclude: notResources,
            resources: privacyManifest, swiftSettings: settings),
        .target(
            name: "TributaryCryptography",
            dependencies: [.target(name: "CTributaryCrypto", condition: .when(platforms: [.linux]))],
            swiftSettings: settings
        ),
        .target(
            name: "TributaryEncryption",
            dependencies: ["TributaryCryptography", "TributaryJournal"],
            swiftSettings: settings
        ),
        .target(name: "TributaryFilters", dependencies: ["TributaryJSON"], swiftSettings: settings),
        .target(name: "TributaryRules", dependencies: ["TributaryJSON"], swiftSettings: settings),
        .target(
            name: "TributaryFilterTestKit",
            dependencies: ["TributaryFilters", "TributaryJSON"],
            swiftSettings: settings
        ),
        .target(
            name: "TributaryScript",
            dependencies: [
                "CTributaryProcess", "CTributaryScripts",
                .target(name: "CTributaryJavaScriptCore", condition: .when(platforms: [.linux])),
            ],
            exclude: ["JavaScript"],
            swiftSettings: settings
        ),
        .target(
            name: "TributaryRuleCompiler", dependencies: ["TributaryRules", "TributaryScript", "TributaryJSON"],
            swiftSettings: settings
        ),
        .target(
            name: "Tributary",
            dependencies: [
                "TributaryJSON", "TributaryJournal",
                .product(name: "Logging", package: "swift-log"),
                .target(name: "CTributaryZlib", condition: .when(platforms: [.linux])),
                .target(name: "CTributaryCurl", condition: .when(platforms: [.linux])),
            ],
            exclude: notResources,
            resources: privacyManifest,
            swiftSettings: settings
        ),
        .target(name: "TributaryCommerce", dependencies: ["Tributary"], swiftSettings: settings),
        .target(name: "TributaryObjCNames"),
        .target(name: "TributaryObjC", dependencies: ["Tributary", "TributaryJSON"], swiftSettings: settings),
        .target(name: "TributaryTesting", dependencies: ["Tributary", "TributaryJSON"], swiftSettings: settings),
        .target(name: "TributaryInspector", dependencies: ["Tributary", "TributaryJSON"], swiftSettings: settings),
        // As SwiftUI is built: see the one declaration of it.
        .target(name: "TributaryActions", swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "AnalyticsLive",
            dependencies: [
                "Tributary", "TributaryJournal", "TributaryActions", "TributaryScript", "TributaryFilters",
                "TributaryRules", "TributaryCryptography", "CTributaryScripts",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["JavaScript"] + notResources,
            resources: privacyManifest,
            swiftSettings: settings
        ),
        .target(
            name: "AnalyticsCompat",
            dependencies: ["Tributary", "TributaryJournal", .product(name: "Logging", package: "swift-log")],
            exclude: notResources,
            resources: privacyManifest,
            swiftSettings: settings
        ),
        .target(
            name: "TributaryPluginTestKit",
            dependencies: [
                "AnalyticsLive", "Tributary", "TributaryFilterTestKit", "TributaryScript", "TributaryJSON",
                "TributaryTesting", "TributaryRuleCompiler", "CTributaryScripts",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "CrashTest",
            dependencies: ["Tributary", "TributaryJournal"],
            path: "Tests/CrashTest",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "PowerProbe",
            dependencies: ["Tributary"],
            path: "Tests/PowerTest/Probe",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "LifecycleProbe",
            dependencies: ["Tributary"],
            path: "Tests/LifecycleProbe",
            swiftSettings: settings
        ),
        .systemLibrary(name: "CTributaryZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CTributaryCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        // What libcurl stands on anyway; Apple's systems have CryptoKit.
        .systemLibrary(name: "CTributaryCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CTributaryJavaScriptCore",
            pkgConfig: "javascriptcoregtk-4.1",
            providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]
        ),
        .testTarget(name: "TributaryJSONTests", dependencies: ["TributaryJSON"], swiftSettings: settings),
        .testTarget(
            name: "TributaryJournalTests",
            dependencies: ["TributaryJournal", "TributaryEncryption"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TributaryCryptographyTests", dependencies: ["TributaryCryptography"], swiftSettings: settings),
        .testTarget(
            name: "TributaryFiltersTests",
            dependencies: ["TributaryFilters", "TributaryFilterTestKit", "TributaryJSON"],
            swiftSettings: settings
        ),
        .testTarget(name: "TributaryScriptTests", dependencies: ["TributaryScript"], swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: [
                "Tributary", "TributaryJournal", "TributaryTesting", .product(name: "Logging", package: "swift-log"),
                .target(name: "CTributaryCrypto", condition: .when(platforms: [.linux])),
            ],
            path: "Tests/Support",
            swiftSettings: settings
        ),
        .testTarget(
            name: "TributaryInspectorTests",
            dependencies: ["TributaryInspector", "Tributary", "TributaryJSON", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TributaryTestingTests",
            dependencies: ["TributaryTesting", "Tributary", "TributaryJSON", "AnalyticsLive"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TributaryTests",
            dependencies: ["Tributary", "TributaryEncryption", "TestSupport", "LifecycleProbe"],
            exclude: ["Migration/Golden"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TributaryCommerceTests",
            dependencies: ["TributaryCommerce", "Tributary", "TributaryJSON", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TributaryObjCTests",
            dependencies: ["TributaryObjC", "Tributary", "TestSupport"],
            exclude: ["ObjectiveC"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "Swift5ModeTests",
            dependencies: ["Tributary", "TestSupport"],
            path: "Tests/LanguageModes/Swift5",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "Swift6ModeTests",
            dependencies: ["Tributary", "TestSupport"],
            path: "Tests/LanguageModes/Swift6",
            swiftSettings: settings
        ),
        .testTarget(
            name: "FieldCompatibilitySwift5",
            dependencies: ["Tributary", "AnalyticsLive", "AnalyticsCompat", "TestSupport"],
            path: "Tests/FieldCompatibility/Swift5",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "FieldCompatibilitySwift6",
            dependencies: ["Tributary", "AnalyticsLive", "AnalyticsCompat", "TestSupport"],
            path: "Tests/FieldCompatibility/Swift6"
        ),
        .testTarget(
            name: "AnalyticsLiveTests",
            dependencies: [
                "AnalyticsLive", "Tributary", "TributaryScript", "TributaryRules", "TributaryRuleCompiler",
                "TributaryInspector", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Rules/plugins.js"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AnalyticsCompatTests",
            dependencies: ["AnalyticsCompat", "Tributary", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TributaryPluginTestKitTests",
            dependencies: ["TributaryPluginTestKit", "TributaryJSON", "TributaryTesting"],
            swiftSettings: settings
        ),
    ]
)

// The interface of analytics-ios for Objective-C, which only Apple's systems have. A target of its own, because no compiler
// of ours has seen it.
#if canImport(Darwin)
package.products.append(
    .library(name: "AnalyticsCompatObjC", targets: ["AnalyticsCompatObjC", "AnalyticsCompatObjCNames"]))
package.targets.append(.target(name: "AnalyticsCompatObjCNames"))
package.targets.append(
    .target(
        name: "AnalyticsCompatObjC", dependencies: ["AnalyticsCompat"], exclude: ["Headers"], swiftSettings: settings))
#endif

// What Apple's systems report about an app's life, with their own frameworks; elsewhere with stubs, see below.
#if canImport(Darwin)
package.targets.append(
    .testTarget(
        name: "AppleTests", dependencies: ["Tributary", "AnalyticsLive", "TestSupport", "TributaryJSON"],
        swiftSettings: settings))
#endif

// Frameworks for apps without packages: `scripts/xcframework`.
if Context.environment["TRIBUTARY_FRAMEWORKS"] != nil {
    package.products = ["Tributary", "AnalyticsLive"].map { .library(name: $0, type: .dynamic, targets: [$0]) }
}

// The programs of `scripts/fuzz`, which need a compiler option that would be in everybody else's way.
if Context.environment["TRIBUTARY_FUZZ"] != nil {
    package.products.append(.library(name: "CFuzzer", targets: ["CFuzzer"]))
    package.targets += [
        .target(name: "CFuzzer", path: "Fuzz/CFuzzer"),
        .executableTarget(
            name: "tributary-fuzz",
            dependencies: [
                "AnalyticsLive", "CFuzzer", "Tributary", "TributaryFilters", "TributaryJSON", "TributaryJournal",
                "TributaryPluginTestKit", "TributaryTesting", "TributaryRules", "TributaryRuleCompiler",
            ],
            path: "Fuzz/Targets",
            swiftSettings: settings
        ),
    ]
}

// The client as it is built where UIKit, AppKit, WatchKit and SwiftUI are, for the tests of `scripts/test-apple`: stubs of
// these modules stand in for them, and everything behind `canImport` is compiled and run.
if Context.environment["TRIBUTARY_STUBS"] != nil {
    let stubs = ["AppleFoundation", "UIKit", "AppKit", "WatchKit", "SwiftUI", "AppIntents"]
    let needed = [
        "TributaryJSON", "TributaryJournal", "Tributary", "TributaryTesting", "TestSupport", "CTributaryZlib",
        "CTributaryCurl",
        "CTributaryChecksum", "CTributaryFiles", "TributaryActions", "AnalyticsLive", "TributaryScript",
        "TributaryFilters", "TributaryRules",
        "CTributaryJavaScriptCore",
        "TributaryCryptography", "CTributaryCrypto", "CTributaryProcess", "CTributaryScripts",
    ]
    package.products = []
    package.targets = package.targets.filter { needed.contains($0.name) }
    for target in package.targets where ["Tributary", "AnalyticsLive"].contains(target.name) {
        target.dependencies += stubs.map { .byName(name: $0) }
    }
    package.targets += stubs.map { name in
        .target(
            name: name,
            dependencies: (name == stubs[0] ? [] : [.byName(name: stubs[0])])
                + (name == "AppIntents" ? [.byName(name: "SwiftUI")] : []),
            path: "Tests/AppleStubs/\(name)",
            // As Apple's own modules are built.
            swiftSettings: [.swiftLanguageMode(.v5)])
    }
    package.targets.append(
        .testTarget(
            name: "AppleTests",
            dependencies: ["Tributary", "AnalyticsLive", "TestSupport"] + stubs.dropFirst().map { .byName(name: $0) },
            // Testing has additions for the real modules of these names.
            swiftSettings: settings + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]))
}
