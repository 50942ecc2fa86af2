import AnalyticsCompat
public import Foundation

/// The payload of a call, for Objective-C.
@objc(SEGPayload)
public class ObjCPayload: NSObject {
    let payload: Payload

    init(_ payload: Payload) { self.payload = payload }

    /// The class for a payload.
    static func of(_ payload: Payload?) -> ObjCPayload? {
        switch payload {
        case nil: nil
        case let payload as IdentifyPayload: ObjCIdentifyPayload(payload)
        case let payload as TrackPayload: ObjCTrackPayload(payload)
        case let payload as ScreenPayload: ObjCScreenPayload(payload)
        case let payload as GroupPayload: ObjCGroupPayload(payload)
        case let payload as AliasPayload: ObjCAliasPayload(payload)
        case let payload as OpenURLPayload: ObjCOpenURLPayload(payload)
        case let payload as ContinueUserActivityPayload: ObjCContinueUserActivityPayload(payload)
        case let payload as RemoteNotificationPayload: ObjCRemoteNotificationPayload(payload)
        case let payload as ApplicationLifecyclePayload: ObjCApplicationLifecyclePayload(payload)
        case .some(let payload): ObjCPayload(payload)
        }
    }

    @objc(context) public var context: [String: Any] { payload.context }
    @objc(integrations) public var integrations: [String: Any] { payload.integrations }
    @objc(timestamp) public var timestamp: String {
        get { payload.timestamp }
        set { payload.timestamp = newValue }
    }
    @objc(messageId) public var messageId: String {
        get { payload.messageId }
        set { payload.messageId = newValue }
    }
    @objc(anonymousId) public var anonymousId: String {
        get { payload.anonymousId }
        set { payload.anonymousId = newValue }
    }
    @objc(userId) public var userId: String {
        get { payload.userId }
        set { payload.userId = newValue }
    }
}

/// The ids and traits of a user, for Objective-C.
@objc(SEGIdentifyPayload)
public final class ObjCIdentifyPayload: ObjCPayload {
    private let own: IdentifyPayload

    init(_ payload: IdentifyPayload) {
        own = payload
        super.init(payload)
    }

    @objc(initWithUserId:anonymousId:traits:context:integrations:)
    public convenience init(
        userId: String?, anonymousId: String?, traits: [String: Any]?, context: [String: Any],
        integrations: [String: Any]
    ) {
        self.init(
            IdentifyPayload(
                userId: userId, anonymousId: anonymousId, traits: traits, context: context, integrations: integrations))
    }

    @objc(traits) public var traits: [String: Any]? { own.traits }
}

/// An action of the user, for Objective-C.
@objc(SEGTrackPayload)
public final class ObjCTrackPayload: ObjCPayload {
    private let own: TrackPayload

    init(_ payload: TrackPayload) {
        own = payload
        super.init(payload)
    }

    @objc(initWithEvent:properties:context:integrations:)
    public convenience init(
        event: String, properties: [String: Any]?, context: [String: Any], integrations: [String: Any]
    ) {
        self.init(TrackPayload(event: event, properties: properties, context: context, integrations: integrations))
    }

    @objc(event) public var event: String { own.event }
    @objc(properties) public var properties: [String: Any]? { own.properties }
}

/// A screen that the user saw, for Objective-C.
@objc(SEGScreenPayload)
public final class ObjCScreenPayload: ObjCPayload {
    private let own: ScreenPayload

    init(_ payload: ScreenPayload) {
        own = payload
        super.init(payload)
    }

    @objc(initWithName:category:properties:context:integrations:)
    public convenience init(
        name: String, category: String?, properties: [String: Any]?, context: [String: Any],
        integrations: [String: Any]
    ) {
        self.init(
            ScreenPayload(
                name: name, category: category, properties: properties, context: context, integrations: integrations))
    }

    @objc(name) public var name: String { own.name }
    @objc(category) public var category: String? { own.category }
    @objc(properties) public var properties: [String: Any]? { own.properties }
}

/// A group that the user belongs to, for Objective-C.
@objc(SEGGroupPayload)
public final class ObjCGroupPayload: ObjCPayload {
    private let own: GroupPayload

    init(_ payload: GroupPayload) {
        own = payload
        super.init(payload)
    }

    @objc(initWithGroupId:traits:context:integrations:)
    public convenience init(
        groupId: String, traits: [String: Any]?, context: [String: Any], integrations: [String: Any]
    ) {
        self.init(GroupPayload(groupId: groupId, traits: traits, context: context, integrations: integrations))
    }

    @objc(groupId) public var groupId: String { own.groupId }
    @objc(traits) public var traits: [String: Any]? { own.traits }
}

/// Another id of the user, for Objective-C.
@objc(SEGAliasPayload)
public final class ObjCAliasPayload: ObjCPayload {
    private let own: AliasPayload

    init(_ payload: AliasPayload) {
        own = payload
        super.init(payload)
    }

    @objc(initWithNewId:context:integrations:)
    public convenience init(newId: String, context: [String: Any], integrations: [String: Any]) {
        self.init(AliasPayload(newId: newId, context: context, integrations: integrations))
    }

    @objc(theNewId) public var theNewId: String { own.theNewId }
    @objc(previousId) public var previousId: String { own.previousId }
}

/// An address that the app was opened with, for Objective-C.
@objc(SEGOpenURLPayload)
public final class ObjCOpenURLPayload: ObjCPayload {
    private let own: OpenURLPayload

    init(_ payload: OpenURLPayload) {
        own = payload
        super.init(payload)
    }

    @objc(url) public var url: URL {
        get { own.url }
        set { own.url = newValue }
    }
    @objc(options) public var options: [AnyHashable: Any] {
        get { own.options }
        set { own.options = newValue }
    }
}

/// An activity that the app continues, for Objective-C.
@objc(SEGContinueUserActivityPayload)
public final class ObjCContinueUserActivityPayload: ObjCPayload {
    private let own: ContinueUserActivityPayload

    init(_ payload: ContinueUserActivityPayload) {
        own = payload
        super.init(payload)
    }

    @objc(activity) public var activity: NSUserActivity {
        get { own.activity }
        set { own.activity = newValue }
    }
}

/// A call about push notifications, for Objective-C.
@objc(SEGRemoteNotificationPayload)
public final class ObjCRemoteNotificationPayload: ObjCPayload {
    private let own: RemoteNotificationPayload

    init(_ payload: RemoteNotificationPayload) {
        own = payload
        super.init(payload)
    }

    @objc(actionIdentifier) public var actionIdentifier: String? {
        get { own.actionIdentifier }
        set { own.actionIdentifier = newValue }
    }
    @objc(userInfo) public var userInfo: [AnyHashable: Any]? {
        get { own.userInfo }
        set { own.userInfo = newValue }
    }
    @objc(error) public var error: (any Error)? {
        get { own.error }
        set { own.error = newValue }
    }
    @objc(deviceToken) public var deviceToken: Data? {
        get { own.deviceToken }
        set { own.deviceToken = newValue }
    }
}

/// A change in the life of the app, for Objective-C.
@objc(SEGApplicationLifecyclePayload)
public final class ObjCApplicationLifecyclePayload: ObjCPayload {
    private let own: ApplicationLifecyclePayload

    init(_ payload: ApplicationLifecyclePayload) {
        own = payload
        super.init(payload)
    }

    @objc(notificationName) public var notificationName: String {
        get { own.notificationName }
        set { own.notificationName = newValue }
    }
    @objc(launchOptions) public var launchOptions: [AnyHashable: Any]? {
        get { own.launchOptions }
        set { own.launchOptions = newValue }
    }
}
