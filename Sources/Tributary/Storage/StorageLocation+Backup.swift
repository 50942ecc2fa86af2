import Foundation

extension StorageLocation {
    /// Keeps the folder out of backups: on another device, or after a restore, its events would be sent again.
    func excludeFromBackup() {
        #if canImport(Darwin)
        var folder = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        // Where that is not possible, the folder is like any other.
        try? folder.setResourceValues(values)
        #endif
    }
}
