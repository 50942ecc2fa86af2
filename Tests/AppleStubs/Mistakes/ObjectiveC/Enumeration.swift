// error: an enum for Objective-C has raw values of type Int
import Foundation

@objc public enum Kind: String { case one }
