// Code for analytics-ios changes only its import. The client and all of its types come with this module.
@_exported public import Tributary
