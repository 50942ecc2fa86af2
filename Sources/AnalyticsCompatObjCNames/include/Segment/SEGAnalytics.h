// The header of a pod of analytics-ios.
#import "../SEGAnalytics.h"
