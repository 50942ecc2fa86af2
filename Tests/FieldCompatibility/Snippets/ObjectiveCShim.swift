import Foundation
import TestSupport
import Testing
import Tributary

private final class MixpanelLike: EventPlugin {
    let type = PluginType.enrichment
    weak var analytics: Analytics?
}

/// What a plugin package of the field has for apps in Objective-C, with nothing but the client's own import.
#if canImport(ObjectiveC)
@objc(SEGMixpanelLike)
#endif
public class ObjCMixpanelLike: NSObject, ObjCPlugin, ObjCPluginShim {
    public func instance() -> EventPlugin { MixpanelLike() }
}

@Suite("A plugin package with a shim for Objective-C")
struct ObjectiveCShimSnippet {
    @Test("An ObjCPlugin shim needs one import and works like other plugins")
    func instance() {
        let client = Client()
        let shim: ObjCPluginShim = ObjCMixpanelLike()
        client.analytics.add(plugin: shim.instance())
        #expect(client.analytics.find(pluginType: MixpanelLike.self) != nil)
    }
}
