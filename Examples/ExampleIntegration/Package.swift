// swift-tools-version: 6.0
import PackageDescription

// An integration as a package of its own: what an in-house integration looks like. Outside of this repository the
// dependency is its address and a version.
let package = Package(
    name: "ExampleIntegration",
    platforms: [.macOS(.v10_15), .iOS(.v13), .tvOS(.v13), .watchOS(.v7), .visionOS(.v1)],
    products: [.library(name: "ExampleIntegration", targets: ["ExampleIntegration"])],
    dependencies: [.package(name: "tributary", path: Context.environment["TRIBUTARY"] ?? "../..")],
    targets: [
        .target(
            name: "ExampleIntegration", dependencies: [.product(name: "AnalyticsCompat", package: "tributary")])
    ]
)
