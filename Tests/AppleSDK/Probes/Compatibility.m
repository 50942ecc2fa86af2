// What an app for analytics-ios writes in Objective-C, against the header that the compiler writes for AnalyticsCompatObjC.
@import Foundation;
@import AnalyticsCompatObjC;
@import AnalyticsCompatObjCNames;

@interface ExampleIntegration : NSObject <SEGIntegration>
@end

@implementation ExampleIntegration
- (void)identify:(SEGIdentifyPayload *)payload {
    NSString *user = payload.userId;
    (void)user;
}
@end

@interface ExampleFactory : NSObject <SEGIntegrationFactory>
@end

@implementation ExampleFactory
- (id<SEGIntegration>)createWithSettings:(NSDictionary *)settings forAnalytics:(SEGAnalytics *)analytics {
    return [[ExampleIntegration alloc] init];
}
- (NSString *)key { return @"Example"; }
@end

@interface HandWritten : NSObject <SEGMiddleware>
@end

@implementation HandWritten
- (void)context:(SEGContext *_Nonnull)context next:(SEGMiddlewareNext _Nonnull)next { next(context); }
@end

int main(void) {
    SEGAnalyticsConfiguration *configuration = [SEGAnalyticsConfiguration configurationWithWriteKey:@"KEY"];
    configuration.trackApplicationLifecycleEvents = YES;
    configuration.sourceMiddleware = @[ [[HandWritten alloc] init] ];
    [configuration use:[[ExampleFactory alloc] init]];
    [SEGAnalytics setupWithConfiguration:configuration];
    [[SEGAnalytics sharedAnalytics] track:@"A" properties:@{@"count": @1}];
    return [SEGAnalytics libraryVersion].length == 0;
}
