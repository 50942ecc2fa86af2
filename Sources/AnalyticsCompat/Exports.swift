// Code that was written for analytics-ios only changes its import: the client and all of its types come with it.
@_exported public import Tributary
