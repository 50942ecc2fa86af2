import CTributaryFiles

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The files of the machine.
package struct PosixFileSystem: FileSystem {
    /// The file system of this process.
    package init() {}

    package func makeFolder(_ path: String) throws(JournalError) {
        guard mkdir(path, 0o700) != 0 else { return }
        switch errno {
        case EEXIST:
            return
        case ENOENT:
            let parts = path.split(separator: "/", omittingEmptySubsequences: true)
            let parent = (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
            guard parts.count > 1 else { throw JournalError(errno: ENOENT, "make folder", path) }
            try makeFolder(parent)
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw JournalError(errno: errno, "make folder", path)
            }
        case let code:
            throw JournalError(errno: code, "make folder", path)
        }
    }

    package func listFolder(_ path: String) throws(JournalError) -> [FolderEntry] {
        guard let stream = opendir(path) else { throw JournalError(errno: errno, "list folder", path) }
        defer { closedir(stream) }
        var entries: [FolderEntry] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            // The property is not used: it would copy the longest possible name, beyond the end of a short entry.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            var info = stat()
            let isFile =
                fstatat(dirfd(stream), name, &info, AT_SYMLINK_NOFOLLOW) == 0 && info.st_mode & S_IFMT == S_IFREG
            entries.append(FolderEntry(name: String(cString: name), size: isFile ? Int(info.st_size) : nil))
        }
        guard errno == 0 else { throw JournalError(errno: errno, "list folder", path) }
        return entries
    }

    package func syncFolder(_ path: String) throws(JournalError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw JournalError(errno: errno, "open folder", path) }
        defer { close(descriptor) }
        try syncFile(descriptor)
    }

    package func openFile(_ path: String, _ access: FileAccess) throws(JournalError) -> Int32 {
        let flags =
            switch access {
            case .read: O_RDONLY
            case .update: O_RDWR
            case .create: O_RDWR | O_CREAT | O_EXCL
            case .createOrUpdate: O_RDWR | O_CREAT
            case .replace: O_WRONLY | O_CREAT | O_TRUNC
            }
        while true {
            // The file is created with its protection class. If it got the class later, a locked device might refuse it
            // in between.
            let descriptor = tributary_open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if descriptor >= 0 { return descriptor }
            guard errno == EINTR else { throw JournalError(errno: errno, "open", path) }
        }
    }

    package func closeFile(_ descriptor: Int32) {
        close(descriptor)
    }

    package func fileStatus(_ descriptor: Int32) throws(JournalError) -> FileStatus {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw JournalError(errno: errno, "status of a file", "") }
        return FileStatus(info)
    }

    package func fileStatus(at path: String) throws(JournalError) -> FileStatus {
        var info = stat()
        guard lstat(path, &info) == 0 else { throw JournalError(errno: errno, "status of", path) }
        return FileStatus(info)
    }

    package func readFile(_ descriptor: Int32, at offset: Int, count: Int) throws(JournalError) -> [UInt8] {
        // All empty arrays without capacity share one object, and the count in it would be written.
        guard count > 0 else { return [] }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let result = pread(descriptor, start + filled, count - filled, off_t(offset + filled))
                if result < 0 && errno == EINTR { continue }
                if result < 0 { failure = errno }
                guard result > 0 else { break }
                filled += result
            }
        }
        guard failure == 0 else { throw JournalError(errno: failure, "read", "") }
        return bytes
    }

    package func writeFile(_ descriptor: Int32, _ bytes: [UInt8], at offset: Int) throws(JournalError) {
        var failure: Int32 = 0
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count, let start = buffer.baseAddress {
                let result = pwrite(descriptor, start + written, buffer.count - written, off_t(offset + written))
                if result < 0 && errno == EINTR { continue }
                // Without this check, a write that writes nothing and reports no error would be repeated without end.
                if result <= 0 {
                    failure = result < 0 ? errno : EIO
                    return
                }
                written += result
            }
        }
        guard failure == 0 else { throw JournalError(errno: failure, "write", "") }
    }

    package func truncateFile(_ descriptor: Int32, to size: Int) throws(JournalError) {
        while ftruncate(descriptor, off_t(size)) != 0 {
            guard errno == EINTR else { throw JournalError(errno: errno, "truncate", "") }
        }
    }

    package func syncFile(_ descriptor: Int32) throws(JournalError) {
        #if canImport(Darwin)
        // Only F_FULLFSYNC empties the drive's own cache. fsync leaves the bytes there, and F_BARRIERFSYNC keeps their
        // order without waiting for them. Some file systems do not support it.
        guard fcntl(descriptor, F_FULLFSYNC) == -1 else { return }
        let synchronise = fsync
        #else
        let synchronise = fdatasync
        #endif
        while synchronise(descriptor) != 0 {
            guard errno == EINTR else { throw JournalError(errno: errno, "sync", "") }
        }
    }

    package func lockFile(_ descriptor: Int32) throws(JournalError) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else { throw JournalError(errno: errno, "lock the folder", "") }
        }
    }

    package func unlockFile(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

    package func moveFile(_ path: String, to newPath: String) throws(JournalError) {
        guard rename(path, newPath) == 0 else { throw JournalError(errno: errno, "rename to", newPath) }
    }

    package func linkFile(_ path: String, to newPath: String) throws(JournalError) -> Bool {
        guard link(path, newPath) != 0 else { return true }
        guard errno == EEXIST else { throw JournalError(errno: errno, "name", newPath) }
        return false
    }

    package func removeFile(_ path: String) throws(JournalError) {
        guard unlink(path) == 0 else { throw JournalError(errno: errno, "remove", path) }
    }
}

extension FileStatus {
    fileprivate init(_ info: stat) {
        let identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: info.st_dev), number: UInt64(truncatingIfNeeded: info.st_ino))
        self.init(size: Int(info.st_size), identity: identity)
    }
}
