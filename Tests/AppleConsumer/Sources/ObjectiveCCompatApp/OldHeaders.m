// An integration as the first documentation of analytics-ios describes it, with its headers and its names of that time.
#import <Foundation/Foundation.h>
#import "SEGIdentifyPayload.h"
#import "SEGTrackPayload.h"
#import "SEGScreenPayload.h"
#import "SEGAliasPayload.h"
#import "SEGGroupPayload.h"
#import <Analytics/SEGAnalytics.h>

@interface OldIntegration : NSObject <SEGIntegration>
@property (nonatomic, copy) NSString *last;
@end

@implementation OldIntegration
- (void)identify:(SEGIdentifyPayload *)payload { self.last = payload.userId; }
- (void)track:(SEGTrackPayload *)payload {
    SEGTrack *track = payload;
    self.last = track.properties ? track.event : nil;
}
- (void)screen:(SEGScreenPayload *)payload { self.last = ((SEGScreen *)payload).name; }
- (void)group:(SEGGroupPayload *)payload { self.last = ((SEGGroup *)payload).groupId; }
- (void)alias:(SEGAliasPayload *)payload { self.last = ((SEGAlias *)payload).previousId; }
- (void)registerForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken options:(NSDictionary *)options {}
@end

@interface OldIntegrationFactory : NSObject <SEGIntegrationFactory>
@end

@implementation OldIntegrationFactory
- (id<SEGIntegration>)createWithSettings:(NSDictionary *)settings forAnalytics:(SEGAnalytics *)analytics {
    return [[OldIntegration alloc] init];
}
- (NSString *)key { return @"Example"; }
@end

void setUpOld(void) {
    SEGAnalyticsConfiguration *config = [SEGAnalyticsConfiguration withWriteKey:@"foo"];
    [config use:[[OldIntegrationFactory alloc] init]];
    [SEGAnalytics setupWithConfiguration:config];
    [[SEGAnalytics sharedInstance] identify:@"u" traits:@{@"plan" : @"pro"} options:@{}];
    [[SEGAnalytics sharedInstance] screen:@"Home" properties:@{}];
    SEGIdentify *payload = [[SEGIdentify alloc] initWithUserId:@"u" anonymousId:nil traits:nil context:@{} integrations:@{}];
    (void)payload;
}
