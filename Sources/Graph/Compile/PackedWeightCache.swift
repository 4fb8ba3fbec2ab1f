import CLibrary
import Kernels
import Synchronization
import TensorCore

/// Packed weights of one network of a model on disk, so that a later start neither reads the model's weights nor packs them.
///
/// A file for each network, precision, instruction set and version of the packing lies in `$XDG_CACHE_HOME/apus`, else
/// `~/.cache/apus`. It is written whole under another name and then renamed, so that processes never see half of
/// one, and mapped without a copy. A section is used only if it was packed from the same weights (see
/// ``FileIdentity``) and its content has the digest that it was written with. Whatever cannot be read, verified or
/// written is as if it were not there; what is lost after it was verified fails the run that may have read it.
package final class PackedWeightCache: Sendable {
  package let path: String
  private let model: String
  private let kernels: String
  private let threads: Int
  private let file: PackedWeightFile?
  /// Whether weights lie in the mapping of `file`.
  private let isInUse = Atomic<Bool>(false)
  /// Sections whose content is not what it was.
  private let damaged = Lock<Set<ContentDigest>>([])

  /// The cache of a network; nil when `APUS_CACHE` is `off`, or there is no home folder.
  /// - Parameters:
  ///   - model: the path by which the model is known, of a file or folder.
  ///   - network: the name of its network.
  package convenience init?(
    model: String, network: String, options: CompileOptions,
    environment: [String: String] = ProcessEnvironment.variables
  ) {
    guard let folder = Self.folder(environment) else { return nil }
    self.init(model: model, network: network, options: options, folder: folder)
  }

  /// - Parameter layout: how matrices are packed.
  package init(
    model: String, network: String, options: CompileOptions, folder: String,
    layout: UInt64 = PackedMatrix.layoutVersion
  ) {
    self.model = model
    let absolute = FileSystem.resolved(model) ?? model
    var builder = DigestBuilder()
    for fact in [absolute, network, options.linearPrecision.rawValue, options.kernels.name] {
      builder.add(fact)
    }
    for fact in [PackedWeightFile.magic, layout] { builder.add(Int(truncatingIfNeeded: fact)) }
    let name = "\(builder.digest.hexadecimal).\(options.linearPrecision.rawValue)\(CacheFolder.suffix)"
    path = "\(folder)/\(name)"
    kernels = options.kernels.name
    threads = options.threads
    file = PackedWeightFile(path, kernels: kernels)
  }

  /// Where caches lie; nil when they are switched off.
  package static func folder(_ environment: [String: String] = ProcessEnvironment.variables) -> String? {
    if EnvironmentVariable.cache.value(in: environment)?.lowercased() == "off" { return nil }
    if let folder = EnvironmentVariable.cacheHome.value(in: environment), folder.hasPrefix("/") {
      return "\(folder)/apus"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.cache/apus"
  }

  /// The section of that key, verified; nil when there is none, or it is not what it was.
  func matrix(for key: ContentDigest, _ identity: PackedWeightIdentity) -> PackedMatrix? {
    guard let file, let section = file.sections[key] else { return nil }
    if section.columns == identity.columns, section.depth == identity.depth,
      let storage = file.storage(section, threads: threads),
      let matrix = PackedMatrix(
        columns: section.columns, depth: section.depth, format: identity.format, lanes: identity.lanes,
        storage: storage)
    {
      isInUse.store(true, ordering: .relaxed)
      return matrix
    }
    damaged.withLock { _ = $0.insert(key) }
    return nil
  }

  /// - Throws: ``ApusError`` of kind `file` when weights that were taken from the file may read as zeros, because it
  ///   became shorter.
  func checkUndamaged() throws(ApusError) {
    guard isInUse.load(ordering: .relaxed), let file, file.isDamaged else { return }
    throw ApusError(
      .file, "the cache of packed weights became shorter, or could not be read, while it was in use",
      file: path,
      advice: "Load the model again to repack its weights. APUS_CACHE=off disables the cache.")
  }

  /// Writes the file anew if `matrices` has any that it lacks, or that were damaged in it.
  /// - Parameter files: those with the weights that were packed.
  func write(_ matrices: [ContentDigest: PackedMatrix], from files: [MappedFile]) -> Bool {
    let known = file?.sections ?? [:]
    let damaged = damaged.withLock { $0 }
    guard matrices.keys.contains(where: { known[$0] == nil || damaged.contains($0) }) else { return false }
    let origin = PackedWeightOrigin(model: model, files: files)
    let size = PackedWeightFile.byteCount(of: matrices, origin)
    let folder = FileName.folder(of: path)
    do {
      try FileSystem.makeFolder(folder)
      guard CacheFolder.makeRoom(for: size, in: folder, replacing: path) else { return false }
      let isWritten = try PackedWeightFile.write(
        matrices, verified: file?.digests(of: matrices) ?? [:], to: path, of: origin, kernels: kernels,
        threads: threads
      ) {
        !isInUse.load(ordering: .relaxed) || file?.isDamaged != true
      }
      // Others may have written meanwhile, each within the limit by itself.
      if isWritten { CacheFolder.removeOldest(in: folder) }
      return isWritten
    } catch {
      return false
    }
  }
}
