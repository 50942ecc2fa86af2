// Everything of Tributary under the name of the module that plugins for analytics-swift import.
@_exported import Tributary
