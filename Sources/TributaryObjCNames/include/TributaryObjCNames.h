// The name of the client's class as code for analytics-swift writes it: `@import TributaryObjC; @import TributaryObjCNames;`.
//
// The class itself is called TRBAnalytics, because AnalyticsCompatObjC has a class SEGAnalytics: an app may link both, and the
// Objective-C runtime takes a name once. One file can use the name for one of them only. An error in the last line here,
// that SEGAnalytics is defined already, means that the file also imports AnalyticsCompatObjC: write TRBAnalytics in it
// instead of this import.
#ifdef __OBJC__
@class TRBAnalytics;
@compatibility_alias SEGAnalytics TRBAnalytics;
#endif
