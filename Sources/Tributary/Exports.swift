// One import gives an app the client and the JSON type that its events are made of.
@_exported public import TributaryJSON
