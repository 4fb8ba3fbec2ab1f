import Kernels
import TensorCore

/// The packed weights of a network, shared by all graphs that are compiled from it: for another number of tokens
/// nothing is packed again. Those of a product that reads more of a file than weights and scales are kept in memory alone.
///
/// Weights are told apart by where they come from: elements of a mapped file by the file's identity and their
/// place in it, derived ones by what they are made from, others by their content; and by the rule, if there is one, that
/// makes of them what is packed. So a tensor that is read anew for every graph is found again.
package final class PackedWeightStore: Sendable {
  private let cache: PackedWeightCache?
  private let contents: Lock<Contents>

  private struct Contents {
    var matrices: [ContentDigest: PackedMatrix] = [:]
    /// Matrices that the cache has no form for.
    var others: [ContentDigest: PackedMatrix] = [:]
    /// The identities of mappings, and for each identity the first mapping that had it, which is kept.
    var mappings: [ObjectIdentifier: Mapping] = [:]
    var files: [ContentDigest: MappedFile] = [:]
  }

  private struct Mapping {
    weak var file: MappedFile?
    let identity: ContentDigest
  }

  /// - Parameter cache: where packed weights are looked for before they are packed.
  package init(cache: PackedWeightCache? = nil) {
    self.cache = cache
    contents = Lock(Contents())
  }

  /// The packed form of the weights that `identity` describes, made by `pack` if it is not there yet.
  func matrix(
    for identity: PackedWeightIdentity, pack: () throws(ApusError) -> PackedMatrix
  ) throws(ApusError) -> PackedMatrix {
    let key = key(identity)
    return try matrix(key, in: \.matrices) { () throws(ApusError) in
      if let cached = cache?.matrix(for: key, identity) { return cached }
      return try pack()
    }
  }

  private func matrix(
    _ key: ContentDigest, in kept: WritableKeyPath<Contents, [ContentDigest: PackedMatrix]> & Sendable,
    make: () throws(ApusError) -> PackedMatrix
  ) throws(ApusError) -> PackedMatrix {
    if let known = contents.withLock({ $0[keyPath: kept][key] }) { return known }
    let matrix = try make()
    // When two threads packed the same, both go on with the form that was there first.
    return contents.withLock { contents in
      let first = contents[keyPath: kept][key] ?? matrix
      contents[keyPath: kept][key] = first
      return first
    }
  }

  /// Where the matrices of the groups of a product are kept, for other products of what `identity` describes.
  func shelf(for identity: PackedWeightIdentity) -> any MatrixShelf {
    Shelf(store: self, product: key(identity))
  }

  private struct Shelf: MatrixShelf {
    let store: PackedWeightStore
    let product: ContentDigest

    func matrix(
      ofGroup group: Int, pack: () throws(ApusError) -> PackedMatrix
    ) throws(ApusError) -> PackedMatrix {
      var builder = DigestBuilder()
      builder.add(product)
      builder.add(group)
      return try store.matrix(builder.digest, in: \.others, make: pack)
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
    let (matrices, files) = contents.withLock { ($0.matrices, Array($0.files.values)) }
    return cache.write(matrices, from: files)
  }

  /// Bytes of all packed weights.
  package var byteCount: Int {
    contents.withLock { contents in
      [contents.matrices, contents.others].joined().reduce(0) { $0 + $1.value.byteCount }
    }
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
    let known = contents.withLock { $0.mappings[ObjectIdentifier(file)] }
    if let known, known.file === file { return known.identity }
    let identity = FileIdentity.digest(of: file)
    contents.withLock { contents in
      contents.mappings = contents.mappings.filter { $0.value.file != nil }
      contents.mappings[ObjectIdentifier(file)] = Mapping(file: file, identity: identity)
      if contents.files[identity] == nil { contents.files[identity] = file }
    }
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
  let rule: [Int]

  /// Of convolutions and fully connected layers, first in their rule.
  static let productVersion = 1

  init(
    tensors: [Tensor?], columns: Int, depth: Int, _ format: WeightFormat, _ kernels: KernelSet,
    rule: [Int] = []
  ) {
    (self.tensors, self.columns, self.depth, self.format) = (tensors, columns, depth, format)
    lanes = kernels.lanes(format)
    hasPairs = format == .int8 && kernels.integer.widensRows
    self.rule = rule
  }
}
