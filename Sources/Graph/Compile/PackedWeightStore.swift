import Kernels
import Synchronization
import TensorCore

/// The packed weights of a network, shared by all graphs that are compiled from it: for another number of tokens
/// nothing is packed again.
///
/// Weights are told apart by where they come from: elements of a mapped file by the file's identity and their
/// place in it, derived ones by what they are made from, others by their content; and by the rule, if there is one, that
/// makes of them what is packed. So a tensor that is read anew for every graph is found again.
package final class PackedWeightStore: Sendable {
  private let cache: PackedWeightCache?
  private let contents: Mutex<Contents>

  private struct Contents {
    var matrices: [ContentDigest: PackedMatrix] = [:]
    /// The identities of mapped files, which are kept, so that no other file takes the place of one.
    var files: [ObjectIdentifier: (file: MappedFile, identity: ContentDigest)] = [:]
  }

  /// - Parameter cache: where packed weights are looked for before they are packed.
  package init(cache: PackedWeightCache? = nil) {
    self.cache = cache
    contents = Mutex(Contents())
  }

  /// The packed form of the weights that `identity` describes, made by `pack` if it is not there yet.
  func matrix(
    for identity: PackedWeightIdentity, pack: () throws(ApusError) -> PackedMatrix
  ) throws(ApusError) -> PackedMatrix {
    let key = key(identity)
    if let known = contents.withLock({ $0.matrices[key] }) { return known }
    let cached = cache?.matrix(for: key, identity)
    let matrix = if let cached { cached } else { try pack() }
    // When two threads packed the same, both go on with the form that was there first.
    return contents.withLock { contents in
      let kept = contents.matrices[key] ?? matrix
      contents.matrices[key] = kept
      return kept
    }
  }

  /// - Throws: ``ApusError`` of kind `file` when weights that came from the cache are lost.
  func checkUndamaged() throws(ApusError) { try cache?.checkUndamaged() }

  /// Writes all weights of the store to the cache if some of them had to be packed: the new file has neither sections of
  /// the old one that no graph of this process asked for, nor those that another process wrote meanwhile. Does nothing
  /// without a cache, or when all came from it.
  /// - Returns: whether a file was written; a cache that cannot be written is no error.
  @discardableResult
  package func writeCache() -> Bool {
    guard let cache else { return false }
    let (matrices, files) = contents.withLock { ($0.matrices, $0.files.values.map(\.file)) }
    return cache.write(matrices, from: files)
  }

  /// Bytes of all packed weights.
  package var byteCount: Int {
    contents.withLock { $0.matrices.values.reduce(0) { $0 + $1.byteCount } }
  }

  private func key(_ identity: PackedWeightIdentity) -> ContentDigest {
    var builder = DigestBuilder()
    builder.add(identity.format.rawValue)
    builder.add(identity.lanes)
    builder.add(identity.hasPairs ? 1 : 0)
    builder.add(identity.depth)
    if !identity.rule.isEmpty {
      // Neither the length of a type's name nor the -1 of no tensor, one of which stands here without a rule.
      builder.add(-1 - identity.rule.count)
      for number in identity.rule { builder.add(number) }
    }
    for tensor in identity.tensors {
      if let tensor { add(tensor, to: &builder) } else { builder.add(-1) }
    }
    return builder.digest
  }

  private func add(_ tensor: Tensor, to builder: inout DigestBuilder) {
    builder.add(tensor.dataType.rawValue)
    builder.add(tensor.shape.elementCount)
    if let scales = tensor.quantization?.scales {
      builder.add(scales.withUnsafeBytes { ContentDigest($0) })
    }
    if let file = tensor.mappedFile {
      builder.add(identity(of: file))
      builder.add(tensor.byteOffset)
    } else if let derivation = tensor.storage.derivation {
      for number in derivation.rule { builder.add(number) }
      for source in derivation.sources { add(source, to: &builder) }
      builder.add(tensor.byteOffset)
    } else {
      builder.add(tensor.withBytes { ContentDigest($0) })
    }
  }

  private func identity(of file: MappedFile) -> ContentDigest {
    if let known = contents.withLock({ $0.files[ObjectIdentifier(file)]?.identity }) { return known }
    let identity = FileIdentity.digest(of: file)
    contents.withLock { $0.files[ObjectIdentifier(file)] = (file, identity) }
    return identity
  }
}

/// What packed weights are made from, and for what.
struct PackedWeightIdentity {
  /// Weights and biases in order; nil for a bias that is left out.
  let tensors: [Tensor?]
  let columns: Int
  let depth: Int
  let format: WeightFormat
  let lanes: Int
  /// Whether bytes are packed for kernels that widen them.
  let hasPairs: Bool
  /// What else is done with the tensors before they are packed: numbers that tell it from all else, the first of them the
  /// version of the computation. Empty where the tensors are packed as they are.
  var rule: [Int] = []
}
