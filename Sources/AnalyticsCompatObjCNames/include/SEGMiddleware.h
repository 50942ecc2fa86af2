// A header of analytics-ios. All of them lead to the same two modules.
#ifdef __OBJC__
@import AnalyticsCompatObjC;
@import AnalyticsCompatObjCNames;
#endif
