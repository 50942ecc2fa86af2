// The interface of analytics-ios for Objective-C, as the compiler makes it of this target's Swift on Apple's systems.
//
// Written by hand, because no compiler for Objective-C and Swift together is at hand where this is developed:
// scripts/tests/objective_c_test.py has clang check it, and compares each selector with the Swift sources.
#import <Foundation/Foundation.h>
#import "AnalyticsCompatObjCNames.h"

NS_ASSUME_NONNULL_BEGIN

@class SEGAnalytics, SEGContext;

typedef NS_ENUM(NSInteger, SEGEventType) {
    SEGEventTypeUndefined,
    SEGEventTypeIdentify,
    SEGEventTypeTrack,
    SEGEventTypeScreen,
    SEGEventTypeGroup,
    SEGEventTypeAlias,
    SEGEventTypeReset,
    SEGEventTypeFlush,
    SEGEventTypeReceivedRemoteNotification,
    SEGEventTypeFailedToRegisterForRemoteNotifications,
    SEGEventTypeRegisteredForRemoteNotifications,
    SEGEventTypeHandleActionWithForRemoteNotification,
    SEGEventTypeApplicationLifecycle,
    SEGEventTypeContinueUserActivity,
    SEGEventTypeOpenURL,
};

/// The values of a call.
@interface SEGPayload : NSObject
@property (nonatomic, readonly) NSDictionary<NSString *, id> *context;
@property (nonatomic, readonly) NSDictionary<NSString *, id> *integrations;
@property (nonatomic, copy) NSString *timestamp;
@property (nonatomic, copy) NSString *messageId;
@property (nonatomic, copy) NSString *anonymousId;
@property (nonatomic, copy) NSString *userId;
@end

/// Who the user is.
@interface SEGIdentifyPayload : SEGPayload
@property (nonatomic, readonly, nullable) NSDictionary<NSString *, id> *traits;
- (instancetype)initWithUserId:(nullable NSString *)userId
                   anonymousId:(nullable NSString *)anonymousId
                        traits:(nullable NSDictionary<NSString *, id> *)traits
                       context:(NSDictionary<NSString *, id> *)context
                  integrations:(NSDictionary<NSString *, id> *)integrations;
@end

/// Something that the user did.
@interface SEGTrackPayload : SEGPayload
@property (nonatomic, readonly) NSString *event;
@property (nonatomic, readonly, nullable) NSDictionary<NSString *, id> *properties;
- (instancetype)initWithEvent:(NSString *)event
                   properties:(nullable NSDictionary<NSString *, id> *)properties
                      context:(NSDictionary<NSString *, id> *)context
                 integrations:(NSDictionary<NSString *, id> *)integrations;
@end

/// A screen that the user saw.
@interface SEGScreenPayload : SEGPayload
@property (nonatomic, readonly) NSString *name;
@property (nonatomic, readonly, nullable) NSString *category;
@property (nonatomic, readonly, nullable) NSDictionary<NSString *, id> *properties;
- (instancetype)initWithName:(NSString *)name
                    category:(nullable NSString *)category
                  properties:(nullable NSDictionary<NSString *, id> *)properties
                     context:(NSDictionary<NSString *, id> *)context
                integrations:(NSDictionary<NSString *, id> *)integrations;
@end

/// A group that the user belongs to.
@interface SEGGroupPayload : SEGPayload
@property (nonatomic, readonly) NSString *groupId;
@property (nonatomic, readonly, nullable) NSDictionary<NSString *, id> *traits;
- (instancetype)initWithGroupId:(NSString *)groupId
                         traits:(nullable NSDictionary<NSString *, id> *)traits
                        context:(NSDictionary<NSString *, id> *)context
                   integrations:(NSDictionary<NSString *, id> *)integrations;
@end

/// Another id of the user.
@interface SEGAliasPayload : SEGPayload
@property (nonatomic, readonly) NSString *theNewId;
@property (nonatomic, readonly) NSString *previousId;
- (instancetype)initWithNewId:(NSString *)newId
                      context:(NSDictionary<NSString *, id> *)context
                 integrations:(NSDictionary<NSString *, id> *)integrations;
@end

/// An address that the app was opened with.
@interface SEGOpenURLPayload : SEGPayload
@property (nonatomic, copy) NSURL *url;
@property (nonatomic, copy) NSDictionary *options;
@end

/// An activity that the app continues.
@interface SEGContinueUserActivityPayload : SEGPayload
@property (nonatomic, strong) NSUserActivity *activity;
@end

/// A call about push notifications; the members depend on the call.
@interface SEGRemoteNotificationPayload : SEGPayload
@property (nonatomic, copy, nullable) NSString *actionIdentifier;
@property (nonatomic, copy, nullable) NSDictionary *userInfo;
@property (nonatomic, strong, nullable) NSError *error;
@property (nonatomic, copy, nullable) NSData *deviceToken;
@end

/// A change in the life of the app.
@interface SEGApplicationLifecyclePayload : SEGPayload
@property (nonatomic, copy) NSString *notificationName;
@property (nonatomic, copy, nullable) NSDictionary *launchOptions;
@end

/// A context while it is changed.
@protocol SEGMutableContext <NSObject>
@property (nonatomic) SEGEventType eventType;
@property (nonatomic, strong, nullable) SEGPayload *payload;
@property (nonatomic, strong, nullable) NSError *error;
@property (nonatomic) BOOL debug;
@end

/// One call on its way through middleware.
@interface SEGContext : NSObject <NSCopying>
- (instancetype)initWithAnalytics:(SEGAnalytics *)analytics;
@property (nonatomic, readonly) SEGAnalytics *_analytics;
@property (nonatomic, readonly) SEGEventType eventType;
@property (nonatomic, readonly, nullable) SEGPayload *payload;
@property (nonatomic, readonly, nullable) NSString *userId;
@property (nonatomic, readonly, nullable) NSString *anonymousId;
@property (nonatomic, readonly, nullable) NSError *error;
@property (nonatomic, readonly) BOOL debug;
- (SEGContext *)modify:(void (^)(id<SEGMutableContext> ctx))modify;
@end

/// Sees each call of a client.
@protocol SEGMiddleware <NSObject>
- (void)context:(SEGContext *)context next:(SEGMiddlewareNext)next;
@end

/// Middleware that is a block.
@interface SEGBlockMiddleware : NSObject <SEGMiddleware>
@property (nonatomic, readonly) SEGMiddlewareBlock block;
- (instancetype)initWithBlock:(SEGMiddlewareBlock)block;
- (void)context:(SEGContext *)context next:(SEGMiddlewareNext)next;
@end

/// Passes events to a service.
@protocol SEGIntegration <NSObject>
@optional
- (void)identify:(SEGIdentifyPayload *)payload;
- (void)track:(SEGTrackPayload *)payload;
- (void)screen:(SEGScreenPayload *)payload;
- (void)group:(SEGGroupPayload *)payload;
- (void)alias:(SEGAliasPayload *)payload;
- (void)reset;
- (void)flush;
- (void)receivedRemoteNotification:(NSDictionary *)userInfo;
- (void)failedToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)registeredForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)registerForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken options:(NSDictionary *)options;
- (void)handleActionWithIdentifier:(NSString *)identifier forRemoteNotification:(NSDictionary *)userInfo;
- (void)applicationDidFinishLaunching:(NSNotification *)notification;
- (void)applicationDidEnterBackground;
- (void)applicationWillEnterForeground;
- (void)applicationWillTerminate;
- (void)applicationWillResignActive;
- (void)applicationDidBecomeActive;
- (void)continueUserActivity:(NSUserActivity *)activity;
- (void)openURL:(NSURL *)url options:(NSDictionary *)options;
@end

/// Makes an integration when the settings have its key.
@protocol SEGIntegrationFactory <NSObject>
- (nullable id<SEGIntegration>)createWithSettings:(NSDictionary *)settings forAnalytics:(SEGAnalytics *)analytics;
- (NSString *)key;
@end

/// How a client is set up.
@interface SEGAnalyticsConfiguration : NSObject
@property (nonatomic, readonly) NSString *writeKey;
@property (nonatomic) NSInteger flushAt;
@property (nonatomic) NSTimeInterval flushInterval;
@property (nonatomic) NSInteger maxQueueSize;
@property (nonatomic) BOOL trackApplicationLifecycleEvents;
@property (nonatomic) BOOL recordScreenViews;
@property (nonatomic) BOOL trackInAppPurchases;
@property (nonatomic) BOOL trackPushNotifications;
@property (nonatomic) BOOL trackDeepLinks;
@property (nonatomic, copy, nullable) NSDictionary *launchOptions;
@property (nonatomic, copy, nullable) NSDictionary<NSString *, id> *defaultSettings;
@property (nonatomic, copy) NSDictionary<NSString *, NSString *> *payloadFilters;
@property (nonatomic, copy, nullable) NSArray<id<SEGMiddleware>> *sourceMiddleware;
+ (instancetype)configurationWithWriteKey:(NSString *)writeKey;
+ (instancetype)withWriteKey:(NSString *)writeKey;
- (void)use:(id<SEGIntegrationFactory>)factory;
@end

/// A client.
@interface SEGAnalytics : NSObject
- (instancetype)initWithConfiguration:(SEGAnalyticsConfiguration *)configuration;
+ (void)setupWithConfiguration:(SEGAnalyticsConfiguration *)configuration;
+ (SEGAnalytics *)sharedAnalytics;
+ (SEGAnalytics *)sharedInstance;
+ (void)debug:(BOOL)showDebugLogs;
+ (NSString *)libraryVersion;
- (void)identify:(nullable NSString *)userId;
- (void)identify:(nullable NSString *)userId traits:(nullable NSDictionary<NSString *, id> *)traits;
- (void)identify:(nullable NSString *)userId
          traits:(nullable NSDictionary<NSString *, id> *)traits
         options:(nullable NSDictionary<NSString *, id> *)options;
- (void)track:(NSString *)event;
- (void)track:(NSString *)event properties:(nullable NSDictionary<NSString *, id> *)properties;
- (void)track:(NSString *)event
    properties:(nullable NSDictionary<NSString *, id> *)properties
       options:(nullable NSDictionary<NSString *, id> *)options;
- (void)screen:(NSString *)screenTitle;
- (void)screen:(NSString *)screenTitle properties:(nullable NSDictionary<NSString *, id> *)properties;
- (void)screen:(NSString *)screenTitle
      category:(nullable NSString *)category
    properties:(nullable NSDictionary<NSString *, id> *)properties
       options:(nullable NSDictionary<NSString *, id> *)options;
- (void)group:(NSString *)groupId;
- (void)group:(NSString *)groupId traits:(nullable NSDictionary<NSString *, id> *)traits;
- (void)group:(NSString *)groupId
       traits:(nullable NSDictionary<NSString *, id> *)traits
      options:(nullable NSDictionary<NSString *, id> *)options;
- (void)alias:(NSString *)newId;
- (void)alias:(NSString *)newId options:(nullable NSDictionary<NSString *, id> *)options;
- (void)receivedRemoteNotification:(NSDictionary *)userInfo;
- (void)failedToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)registeredForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)registerForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken options:(nullable NSDictionary *)options;
- (void)handleActionWithIdentifier:(NSString *)identifier forRemoteNotification:(NSDictionary *)userInfo;
- (void)continueUserActivity:(NSUserActivity *)activity;
- (void)openURL:(NSURL *)url options:(NSDictionary *)options;
- (void)flush;
- (void)reset;
- (void)enable;
- (void)disable;
- (NSDictionary<NSString *, id> *)bundledIntegrations;
- (NSString *)getAnonymousId;
- (NSString *)getDeviceToken;
@end

NS_ASSUME_NONNULL_END
