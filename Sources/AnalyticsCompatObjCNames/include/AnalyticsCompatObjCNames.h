// The names of analytics-ios for blocks of middleware: `@import AnalyticsCompatObjC; @import AnalyticsCompatObjCNames;`.
//
// Swift writes the type of a block into its header and no name for it, so the names are here.
#ifdef __OBJC__
@class SEGContext;
typedef void (^SEGMiddlewareNext)(SEGContext *_Nullable newContext);
typedef void (^SEGMiddlewareBlock)(SEGContext *_Nonnull context, SEGMiddlewareNext _Nonnull next);
#endif
