import CLibrary
import TensorCore

/// Keeps a folder of caches below a size: `APUS_CACHE_LIMIT` in bytes, else 16 GiB.
package enum CacheFolder {
  package static let limit: Int = (try? EnvironmentVariable.cacheLimit.number()) ?? (16 << 30)

  /// How the names of caches end.
  static let suffix = ".packed"

  /// Removes the caches that were written longest ago until `byteCount` more bytes fit.
  /// - Parameter replaced: a file whose bytes do not count, because the new one takes its place.
  /// - Returns: whether there is room, in the limit and on the disk.
  package static func makeRoom(
    for byteCount: Int, in folder: String, replacing replaced: String, limit: Int = limit
  ) -> Bool {
    NewFile.removeAbandoned(in: folder)
    guard byteCount <= limit, byteCount <= freeBytes(folder) - (256 << 20) else { return false }
    return removeOldest(in: folder, but: replaced, downTo: limit - byteCount)
  }

  /// Removes the caches that were written longest ago until the others have so many bytes. What is still being written
  /// counts once it has its name: removing others makes it no smaller.
  /// - Parameter kept: a file that neither counts nor is removed.
  /// - Returns: whether they have no more.
  @discardableResult
  package static func removeOldest(
    in folder: String, but kept: String? = nil, downTo byteCount: Int = limit
  ) -> Bool {
    let caches = files(in: folder).filter { $0.path.hasSuffix(suffix) && $0.path != kept }.sorted {
      $0.version.modified < $1.version.modified
    }
    var total = caches.reduce(0) { $0 + $1.version.byteCount }
    for cache in caches where total > byteCount {
      FileSystem.removeFile(cache.path)
      if !FileSystem.exists(cache.path) { total -= cache.version.byteCount }
    }
    return total <= byteCount
  }

  /// Bytes of the caches in a folder.
  package static func byteCount(_ folder: String) -> Int {
    files(in: folder).reduce(0) { $0 + $1.version.byteCount }
  }

  static func files(in folder: String) -> [(path: String, version: FileVersion)] {
    let names = FileSystem.names(in: folder) ?? []
    return names.filter { $0.hasSuffix(suffix) || $0.hasSuffix(NewFile.temporarySuffix) }.compactMap {
      name in
      let path = "\(folder)/\(name)"
      return FileSystem.version(of: path).map { (path, $0) }
    }
  }

  private static func freeBytes(_ folder: String) -> Int {
    var status = statvfs()
    guard folder.withFileName({ statvfs($0, &status) }) == 0 else { return 0 }
    return Int(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }
}
