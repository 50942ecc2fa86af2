// What the Swift compiler says of TributaryObjC on Apple's systems, written by hand: for reading, and to compile examples
// against where no Objective-C runtime is. scripts/tests/objective_c_test.py compares it with the sources.
#import <Foundation/Foundation.h>

#pragma clang assume_nonnull begin

@protocol SEGPlugin <NSObject>
@end

@protocol SEGRawEvent <NSObject>
@property(nonatomic, readonly, nullable) NSString *type;
@property(nonatomic, nullable) NSString *anonymousId;
@property(nonatomic, nullable) NSString *messageId;
@property(nonatomic, nullable) NSString *userId;
@property(nonatomic, nullable) NSString *timestamp;
@property(nonatomic, nullable) NSDictionary<NSString *, id> *context;
@property(nonatomic, nullable) NSDictionary<NSString *, id> *integrations;
@end

__attribute__((objc_subclassing_restricted))
@interface SEGEvent : NSObject <SEGRawEvent>
@property(nonatomic, readonly, nullable) NSString *type;
@property(nonatomic, nullable) NSString *anonymousId;
@property(nonatomic, nullable) NSString *messageId;
@property(nonatomic, nullable) NSString *userId;
@property(nonatomic, nullable) NSString *timestamp;
@property(nonatomic, nullable) NSDictionary<NSString *, id> *context;
@property(nonatomic, nullable) NSDictionary<NSString *, id> *integrations;
@end

__attribute__((objc_subclassing_restricted))
@interface SEGTrackEvent : SEGEvent
- (instancetype)initWithName:(NSString *)name properties:(nullable NSDictionary<NSString *, id> *)properties;
@property(nonatomic) NSString *event;
@property(nonatomic, nullable) NSDictionary<NSString *, id> *properties;
@end

__attribute__((objc_subclassing_restricted))
@interface SEGIdentifyEvent : SEGEvent
- (instancetype)initWithUserId:(nullable NSString *)userId traits:(nullable NSDictionary<NSString *, id> *)traits;
@property(nonatomic, nullable) NSDictionary<NSString *, id> *traits;
@end

__attribute__((objc_subclassing_restricted))
@interface SEGScreenEvent : SEGEvent
- (instancetype)initWithName:(nullable NSString *)name
                    category:(nullable NSString *)category
                  properties:(nullable NSDictionary<NSString *, id> *)properties;
@property(nonatomic, nullable) NSString *name;
@property(nonatomic, nullable) NSString *category;
@property(nonatomic, nullable) NSDictionary<NSString *, id> *properties;
@end

__attribute__((objc_subclassing_restricted))
@interface SEGGroupEvent : SEGEvent
- (instancetype)initWithGroupId:(nullable NSString *)groupId traits:(nullable NSDictionary<NSString *, id> *)traits;
@property(nonatomic, nullable) NSString *groupId;
@property(nonatomic, nullable) NSDictionary<NSString *, id> *traits;
@end

__attribute__((objc_subclassing_restricted))
@interface SEGAliasEvent : SEGEvent
- (instancetype)initWithNewId:(nullable NSString *)newId previousId:(nullable NSString *)previousId;
@property(nonatomic, nullable) NSString *previousId;
@end

@protocol TRBEventPlugin <SEGPlugin>
- (nullable id<SEGRawEvent>)executeEvent:(nullable id<SEGRawEvent>)event;
@end

__attribute__((objc_subclassing_restricted))
@interface SEGEventPlugin : NSObject <SEGPlugin>
- (nullable id<SEGRawEvent>)executeEvent:(nullable id<SEGRawEvent>)event;
@end

__attribute__((objc_subclassing_restricted))
@interface SEGBlockPlugin : SEGEventPlugin
- (instancetype)initWithBlock:(id<SEGRawEvent> _Nullable (^)(id<SEGRawEvent> _Nullable event))block;
- (nullable id<SEGRawEvent>)executeEvent:(nullable id<SEGRawEvent>)event;
@end

__attribute__((objc_subclassing_restricted))
@interface SEGConfiguration : NSObject
- (instancetype)initWithWriteKey:(NSString *)writeKey;
@property(nonatomic, nullable) id application;
@property(nonatomic) BOOL trackApplicationLifecycleEvents;
@property(nonatomic) NSInteger flushAt;
@property(nonatomic) NSTimeInterval flushInterval;
@property(nonatomic) NSDictionary<NSString *, id> *defaultSettings;
@property(nonatomic) BOOL autoAddSegmentDestination;
@property(nonatomic, nullable) NSString *apiHost;
@property(nonatomic, nullable) NSString *cdnHost;
@property(nonatomic, nullable) NSURLRequest * (^requestFactory)(NSURLRequest *request);
@property(nonatomic, nullable) void (^errorHandler)(NSError *error);
@property(nonatomic, nullable) NSString *userAgent;
@end

__attribute__((objc_subclassing_restricted))
@interface TRBAnalytics : NSObject
- (instancetype)initWithConfiguration:(SEGConfiguration *)configuration;
- (void)track:(NSString *)name;
- (void)track:(NSString *)name properties:(nullable NSDictionary<NSString *, id> *)properties;
- (void)identify:(NSString *)userId;
- (void)identify:(nullable NSString *)userId traits:(nullable NSDictionary<NSString *, id> *)traits;
- (void)screen:(NSString *)title;
- (void)screen:(NSString *)title category:(nullable NSString *)category;
- (void)screen:(NSString *)title
       category:(nullable NSString *)category
     properties:(nullable NSDictionary<NSString *, id> *)properties;
- (void)group:(NSString *)groupId;
- (void)group:(NSString *)groupId traits:(nullable NSDictionary<NSString *, id> *)traits;
- (void)alias:(NSString *)newId;
@property(nonatomic, readonly) NSString *anonymousId;
@property(nonatomic, readonly, nullable) NSString *userId;
- (nullable NSDictionary<NSString *, id> *)traits;
- (nullable NSDictionary<NSString *, id> *)settings;
@property(nonatomic) BOOL enabled;
- (void)flush;
- (void)reset;
- (void)openURL:(NSURL *)url options:(NSDictionary<NSString *, id> *)options;
- (NSString *)version;
- (void)addPlugin:(nullable id<SEGPlugin>)plugin;
- (void)addPlugin:(nullable id<SEGPlugin>)plugin destinationKey:(NSString *)destinationKey;
@end

#pragma clang assume_nonnull end
