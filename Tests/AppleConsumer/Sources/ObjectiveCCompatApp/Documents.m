// What an app for analytics-ios writes in Objective-C: the examples of its documents, beside the client for Objective-C. On a Mac,
// this package builds it with the header that the Swift compiler writes, and so does `scripts/check-apple --sdk`;
// scripts/tests/objective_c_test.py compiles it with the header by hand.
@import Foundation;
@import AnalyticsCompatObjC;
@import AnalyticsCompatObjCNames;
@import TributaryObjC;

@interface EIExampleIntegration : NSObject <SEGIntegration>
- (instancetype)initWithSettings:(NSDictionary *)settings;
@end

@implementation EIExampleIntegration
- (instancetype)initWithSettings:(NSDictionary *)settings { return [super init]; }
- (void)identify:(SEGIdentifyPayload *)payload {
    NSString *user = payload.userId;
    (void)user;
}
@end

@interface EIExampleIntegrationFactory : NSObject <SEGIntegrationFactory>
+ (instancetype)singleton;
@end

@implementation EIExampleIntegrationFactory
+ (instancetype)singleton {
    static EIExampleIntegrationFactory *factory;
    if (!factory) factory = [[self alloc] init];
    return factory;
}
- (id<SEGIntegration>)createWithSettings:(NSDictionary *)settings forAnalytics:(SEGAnalytics *)analytics {
    return [[EIExampleIntegration alloc] initWithSettings:settings];
}
- (NSString *)key { return @"Example"; }
@end

@interface HandWritten : NSObject <SEGMiddleware>
@end

@implementation HandWritten
- (void)context:(SEGContext *_Nonnull)context next:(SEGMiddlewareNext _Nonnull)next { next(context); }
@end

@interface TokenReader : NSObject <SEGMiddleware>
@property (nonatomic, copy) NSData *token;
@end

@implementation TokenReader
- (void)context:(SEGContext *_Nonnull)context next:(SEGMiddlewareNext _Nonnull)next {
    SEGPayload *payload = context.payload;
    if (context.eventType == SEGEventTypeRegisteredForRemoteNotifications) {
        self.token = ((SEGRemoteNotificationPayload *)payload).deviceToken;
    }
    if (context.eventType == SEGEventTypeOpenURL) ((SEGOpenURLPayload *)payload).options = @{};
    if (context.error) [context._analytics flush];
    next([context copy]);
}
@end

void setUp(void) {
    SEGAnalyticsConfiguration *config = [SEGAnalyticsConfiguration configurationWithWriteKey:@"foo"];
    config.trackApplicationLifecycleEvents = YES;
    [config use:[EIExampleIntegrationFactory singleton]];
    SEGBlockMiddleware *rename = [[SEGBlockMiddleware alloc] initWithBlock:^(SEGContext *context, SEGMiddlewareNext next) {
        if (context.eventType != SEGEventTypeTrack) return next(context);
        next([context modify:^(id<SEGMutableContext> ctx) {
            SEGTrackPayload *track = (SEGTrackPayload *)ctx.payload;
            ctx.payload = [[SEGTrackPayload alloc] initWithEvent:@"New"
                                                      properties:track.properties
                                                         context:track.context
                                                    integrations:@{@"Amplitude" : [NSNumber numberWithBool:0]}];
        }]);
    }];
    config.sourceMiddleware = @[ rename, [[HandWritten alloc] init] ];
    [SEGAnalytics setupWithConfiguration:config];
    [[SEGAnalytics sharedAnalytics] identify:@"u" traits:@{@"plan" : @"pro"} options:nil];
    [[SEGAnalytics sharedAnalytics] track:@"Order Completed"];
    [[SEGAnalytics sharedAnalytics] track:[SEGAnalytics libraryVersion] properties:@{@"count" : @1}];
    [[SEGAnalytics sharedAnalytics] reset];
    [[SEGAnalytics sharedAnalytics] registerForRemoteNotificationsWithDeviceToken:[[TokenReader alloc] init].token options:nil];
    rename.block([[SEGContext alloc] initWithAnalytics:[SEGAnalytics sharedAnalytics]], ^(SEGContext *context) {});
}

void setUpBoth(SEGConfiguration *configuration) {
    setUp();
    [[[TRBAnalytics alloc] initWithConfiguration:configuration] track:@"A"];
}
