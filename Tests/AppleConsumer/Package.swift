// swift-tools-version: 6.2
import PackageDescription

// Apps as others write them, which only Apple's systems can build: see .github/workflows/macos.yml.
let tributary = "tributary"
let package = Package(
    name: "AppleConsumer",
    platforms: [.macOS(.v11), .iOS(.v14)],
    dependencies: [.package(name: tributary, path: "../..")],
    targets: [
        .target(
            name: "Swift5App",
            dependencies: [
                .product(name: "Tributary", package: tributary), .product(name: "AnalyticsLive", package: tributary),
                .product(name: "TributaryInspector", package: tributary),
            ],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "Swift6App",
            dependencies: [
                .product(name: "Tributary", package: tributary), .product(name: "AnalyticsLive", package: tributary),
                .product(name: "TributaryInspector", package: tributary),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .target(
            name: "ExtensionApp",
            dependencies: [.product(name: "Tributary", package: tributary)],
            swiftSettings: [.unsafeFlags(["-application-extension"])]),
        .target(
            name: "ObjectiveCApp",
            dependencies: [.product(name: "TributaryObjC", package: tributary)],
            cSettings: [.unsafeFlags(["-fmodules", "-fobjc-arc", "-Wall", "-Werror"])]),
        .target(
            name: "ObjectiveCCompatApp",
            dependencies: [
                .product(name: "AnalyticsCompatObjC", package: tributary),
                .product(name: "TributaryObjC", package: tributary),
            ],
            cSettings: [.unsafeFlags(["-fmodules", "-fobjc-arc", "-Wall", "-Werror"])]),
    ]
)
