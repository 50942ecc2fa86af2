/// Something that happened to a version of the live plugins on a device.
package enum VersionIncident: String, Sendable, CaseIterable {
    /// It could not be fetched; it is tried again.
    case downloadFailed
    /// It is not what the settings named.
    case contentRefused
    /// It has no signature that the app accepts.
    case signatureRefused
    /// Its script threw while it was loaded.
    case loadFailed
    /// It broke a budget or ended the app, and does not run there again.
    case quarantined
    /// It runs because a newer one does not.
    case fellBack
    /// Its generators of signals were switched off.
    case generatorsOff
}
