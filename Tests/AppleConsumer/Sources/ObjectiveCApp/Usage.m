// What an app in Objective-C writes. On a Mac, this package builds it with the header that the Swift compiler writes, and so does
// `scripts/check-apple --sdk`; scripts/tests/objective_c_test.py compiles it with the header by hand.
@import Foundation;
@import TributaryObjC;
@import TributaryObjCNames;

@interface RenamingPlugin : NSObject <TRBEventPlugin>
@end

@implementation RenamingPlugin
- (id<SEGRawEvent>)executeEvent:(id<SEGRawEvent>)event {
    if ([event isKindOfClass:[SEGTrackEvent class]]) {
        SEGTrackEvent *track = (SEGTrackEvent *)event;
        track.event = @"[New]";
        NSDictionary *properties = track.properties;
        track.properties = properties;
    }
    return event;
}
@end

SEGAnalytics *start(void) {
    SEGConfiguration *configuration = [[SEGConfiguration alloc] initWithWriteKey:@"KEY"];
    configuration.trackApplicationLifecycleEvents = YES;
    configuration.flushAt = 1;
    configuration.flushInterval = 10;
    configuration.apiHost = @"localhost:8484/v1";
    configuration.requestFactory = ^NSURLRequest *(NSURLRequest *request) {
        return request;
    };

    SEGAnalytics *analytics = [[SEGAnalytics alloc] initWithConfiguration:configuration];
    [analytics track:@"A"];
    [analytics track:@"A" properties:@{@"email": @"a@example.com", @"count": @1}];
    [analytics identify:@"u-1"];
    [analytics identify:nil traits:@{@"plan": @"pro"}];
    [analytics screen:@"Home" category:nil properties:nil];
    [analytics group:@"g-1" traits:nil];
    [analytics alias:@"u-2"];
    [analytics addPlugin:[[RenamingPlugin alloc] init]];
    [analytics addPlugin:[[SEGBlockPlugin alloc] initWithBlock:^id<SEGRawEvent>(id<SEGRawEvent> event) {
        event.timestamp = nil;
        return event;
    }] destinationKey:@"Amplitude"];
    [analytics flush];
    [analytics reset];
    NSString *user = analytics.userId ?: analytics.anonymousId;
    [analytics track:user properties:[analytics traits]];
    return analytics;
}
