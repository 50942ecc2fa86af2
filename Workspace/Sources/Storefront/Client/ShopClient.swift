import AnalyticsLive
import Foundation
import Tributary

/// The shop's analytics client with everything that the shop adds to it.
struct ShopClient {
    /// The options of a run.
    struct Options {
        var writeKey: String
        var server: ServerAddress
        var storage: URL
        var settingsInterval: TimeInterval
        /// Whether nothing is sent before settings of the workspace came once.
        var requiresSettings = false
        var inspector: Bool
        /// Scripts to use while none can be fetched.
        var fallback: URL?
        /// Takes the lines of the receipt printer.
        var receipts: (@Sendable (String) -> Void)?
    }

    let analytics: Analytics
    let printer: ReceiptPrinter

    init(_ options: Options, ids: MessageIds) {
        let configuration = Configuration(writeKey: options.writeKey)
            .apiHost(options.server.apiHost)
            .cdnHost(options.server.cdnHost)
            .storageMode(.diskAtURL(options.storage))
            .settingsInterval(options.settingsInterval)
            .requiresSettings(options.requiresSettings)
            .flushInterval(1)
            .inspector(options.inspector)
            .anonymousIdGenerator { UUID().uuidString.lowercased() }
            .identifiers(ids.identifiers)
        analytics = Analytics(configuration: configuration)
        printer = ReceiptPrinter(output: options.receipts)
        Self.addLiveFeatures(to: analytics, fallback: options.fallback)
        analytics.add(plugin: printer)
        analytics.manuallyEnableDestination(plugin: printer)
    }

    /// The parts that the workspace can change while the shop is running: scripts and filters.
    private static func addLiveFeatures(to analytics: Analytics, fallback: URL?) {
        analytics.add(plugin: LivePlugins(fallbackFileURL: fallback))
        analytics.add(plugin: DestinationFilters())
    }

    /// Ends the client and waits until its files are closed.
    func shutdown() async {
        await withCheckedContinuation { continuation in analytics.shutdown { continuation.resume() } }
    }
}
