// One import gives an app these classes, the client, and the protocols of plugins.
@_exported public import Tributary
