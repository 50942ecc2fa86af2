// swift-tools-version: 6.0
import PackageDescription

// An app of its own that has the client as a dependency: `scripts/test-consumer` copies it out of the repository, so that
// nothing of it can come from anywhere but the products.
let package = Package(
    name: "consumer",
    platforms: [.macOS(.v10_15)],
    dependencies: [
        // the client and Analytics Live are products of one package
        .package(name: "tributary", path: Context.environment["TRIBUTARY"] ?? "../.."),
        .package(path: (Context.environment["TRIBUTARY"] ?? "../..") + "/Examples/ExampleIntegration"),
        .package(path: (Context.environment["TRIBUTARY"] ?? "../..") + "/Examples/SegmentModule"),
    ],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [
                .product(name: "Tributary", package: "tributary"),
                .product(name: "TributaryCommerce", package: "tributary"),
            ]),
        .executableTarget(
            name: "LiveApp",
            dependencies: [
                .product(name: "Tributary", package: "tributary"),
                .product(name: "AnalyticsLive", package: "tributary"),
            ]),
        // What was written for analytics-ios, with an integration that is a package of its own.
        .executableTarget(
            name: "CompatApp",
            dependencies: [
                .product(name: "AnalyticsCompat", package: "tributary"),
                .product(name: "ExampleIntegration", package: "ExampleIntegration"),
            ]),
        // What was written for analytics-swift: the app and a vendor's plugin say `import Segment`.
        .target(
            name: "VendorPlugin", dependencies: [.product(name: "Segment", package: "SegmentModule")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "FieldApp",
            dependencies: ["VendorPlugin", .product(name: "Segment", package: "SegmentModule")]),
    ]
)
