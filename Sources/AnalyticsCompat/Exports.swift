// Code that was written for analytics-ios changes its import and finds the client and all that belongs to it.
@_exported public import Tributary
