import Foundation
import TensorCore

/// Keeps a folder of caches below a size: `APUS_CACHE_LIMIT` in bytes, else 16 GiB.
enum CacheFolder {
  private static let limit: Int = {
    EnvironmentVariable.cacheLimit.value().flatMap(Int.init) ?? (16 << 30)
  }()

  private struct CachedFile {
    let path: String
    let byteCount: Int
    let date: Date
  }

  /// Removes the caches that were written longest ago until `byteCount` more bytes fit.
  /// - Parameter replaced: a file whose bytes do not count, because the new one takes its place.
  /// - Returns: whether there is room, in the limit and on the disk.
  static func makeRoom(
    for byteCount: Int, in folder: String, replacing replaced: String, limit: Int = limit
  ) -> Bool {
    NewFile.removeAbandoned(in: folder)
    guard byteCount <= limit, byteCount <= freeBytes(folder) - (256 << 20) else { return false }
    let files = files(in: folder).filter { $0.path != replaced }.sorted { $0.date < $1.date }
    var total = files.reduce(0) { $0 + $1.byteCount }
    for file in files where total > limit - byteCount && !file.path.hasSuffix(NewFile.temporarySuffix) {
      if unlink(file.path) == 0 { total -= file.byteCount }
    }
    return total <= limit - byteCount
  }

  private static func files(in folder: String) -> [CachedFile] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".packed") || $0.hasSuffix(NewFile.temporarySuffix) }.compactMap {
      name in
      let path = "\(folder)/\(name)"
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
        let size = attributes[.size] as? Int, let date = attributes[.modificationDate] as? Date
      else { return nil }
      return CachedFile(path: path, byteCount: size, date: date)
    }
  }

  private static func freeBytes(_ folder: String) -> Int {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return 0 }
    return Int(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }
}
