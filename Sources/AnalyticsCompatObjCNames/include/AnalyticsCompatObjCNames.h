// Names of analytics-ios that Swift's header lacks: `@import AnalyticsCompatObjC; @import AnalyticsCompatObjCNames;`.
//
// Swift writes the type of a block into its header and no name for it, so the names are here. The first documentation of
// integrations has the last five names for payloads.
#ifdef __OBJC__
@class SEGContext;
typedef void (^SEGMiddlewareNext)(SEGContext *_Nullable newContext);
typedef void (^SEGMiddlewareBlock)(SEGContext *_Nonnull context, SEGMiddlewareNext _Nonnull next);

@class SEGIdentifyPayload, SEGTrackPayload, SEGScreenPayload, SEGGroupPayload, SEGAliasPayload;
@compatibility_alias SEGIdentify SEGIdentifyPayload;
@compatibility_alias SEGTrack SEGTrackPayload;
@compatibility_alias SEGScreen SEGScreenPayload;
@compatibility_alias SEGGroup SEGGroupPayload;
@compatibility_alias SEGAlias SEGAliasPayload;
#endif
