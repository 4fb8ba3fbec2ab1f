import Formats
import TensorCore

/// A place among a model's tensors, whose names are paths such as `encoder.layers.3.attention.weight`.
///
/// Architectures descend by name and index and demand each tensor with its shape, so that a file of another
/// model fails at the first tensor that differs, with its name.
package struct WeightPath: Sendable {
  package let collection: SafetensorsCollection
  /// The names passed so far, without a dot at the end; empty at the root.
  package let prefix: String
  /// What else errors say, such as the sizes that the configuration states.
  private var advice: String?
  /// How the configuration says that weights are stored; nil when it says nothing.
  private(set) var forms: CompressedForms?
  private let storages: DerivedStorages

  /// The root: names are those of the collection.
  package init(_ collection: SafetensorsCollection) {
    self.collection = collection
    storages = DerivedStorages()
    prefix = ""
  }

  private init(_ outer: WeightPath, prefix: String) {
    collection = outer.collection
    advice = outer.advice
    forms = outer.forms
    storages = outer.storages
    self.prefix = prefix
  }

  /// One or several names further: `path["encoder.layers"]`.
  package subscript(name: String) -> WeightPath { WeightPath(self, prefix: key(name)) }

  /// The member of a numbered list.
  package subscript(index: Int) -> WeightPath { self["\(index)"] }

  /// The place below `name` if any tensor is there, else this place: for names that some files leave out.
  package func descending(ifPresent name: String) -> WeightPath {
    hasTensors(below: name) ? self[name] : self
  }

  /// The same place, whose errors also say `advice`: a sentence with what the configuration states.
  package func explaining(_ advice: String) -> WeightPath {
    var copy = self
    copy.advice = advice
    return copy
  }

  /// The same place in a model whose configuration says how weights are stored.
  func stored(in forms: CompressedForms?) -> WeightPath {
    var copy = self
    copy.forms = forms
    return copy
  }

  /// The full name of a tensor here.
  package func key(_ name: String) -> String {
    prefix.isEmpty ? name : name.isEmpty ? prefix : "\(prefix).\(name)"
  }

  package func contains(_ name: String) -> Bool { collection.contains(key(name)) }

  /// Whether any tensor's name begins with `name` and a dot.
  package func hasTensors(below name: String) -> Bool {
    collection.hasNames(startingWith: key(name) + ".")
  }

  /// The extents of a tensor that is there, of any type; nil when there is none of that name.
  package func shape(of name: String) -> [Int]? { collection[key(name)]?.shape }

  /// How many of the numbered lists' members `name.0`, `name.1`, … have tensors.
  package func count(of name: String) -> Int {
    var count = 0
    while self[name].hasTensors(below: "\(count)") { count += 1 }
    return count
  }

  /// A tensor of numbers as it is stored: float32, float16, bfloat16, or int8 with its scale for each row; of packed
  /// integers what they stand for, which is one of those.
  ///
  /// An int8 `….weight` takes its scales from `….weight_scale` of shape [rows] or [rows, 1]; see ``PackedWeight`` for
  /// a `….weight_packed`. Elements of 64-bit floats are rounded to 32 bits.
  /// - Throws: ``ApusError`` of kind `malformedModel` that names file, tensor, what was wanted and found, and the
  ///   nearest names when there is none.
  func weight(_ name: String, _ shape: [Int]) throws(ApusError) -> StoredWeight {
    let key = key(name)
    let packed = PackedWeight.name(key)
    let isPacked = collection.contains(packed)
    guard isPacked || collection.contains(key) else {
      throw missing(name, "one of shape \(shape)")
    }
    do throws(ApusError) {
      try requireStatedForm(key, isPacked: isPacked)
      let matrix = isPacked ? try PackedWeight(key, in: collection) : nil
      let found = matrix.map { [$0.rows, $0.columns] } ?? collection[key]?.shape ?? []
      guard found == shape else {
        throw ApusError(
          .malformedModel, "has shape \(found)", expected: "\(shape)", at: "tensor '\(key.clipped)'",
          advice: advice)
      }
      guard let matrix else { return try StoredWeight(key, in: collection) }
      return StoredWeight(try matrix.tensor(forms, storages), key)
    } catch {
      throw error.inFile(collection.path(of: isPacked ? packed : key))
    }
  }

  /// Refuses weights that are stored otherwise than the configuration says, if it does.
  private func requireStatedForm(_ key: String, isPacked: Bool) throws(ApusError) {
    let place = "tensor '\(key.clipped)'"
    if isPacked, collection.contains(key) {
      throw ApusError(.malformedModel, "is there packed, too", expected: "one of the two", at: place)
    }
    if isPacked, forms?.packed.isEmpty ?? true {
      throw ApusError(
        .malformedModel, "is packed, and config.json does not say how",
        expected: "a quantization_config of the format pack-quantized", at: place)
    }
    if let forms, !forms.hasRows, collection[key]?.type == .int8 {
      throw ApusError(
        .malformedModel, "is int8", expected: "\(PackedWeight.name(key).clipped), as config.json says",
        at: place)
    }
  }

  /// The elements of ``weight(_:_:)``.
  package func tensor(_ name: String, _ shape: [Int]) throws(ApusError) -> Tensor {
    try weight(name, shape).tensor
  }

  /// The error about a tensor that is not there.
  func missing(_ name: String, _ expected: String) -> ApusError {
    let key = key(name)
    let near = NearestNames.find(key, among: collection.names).map { "'\($0.clipped)'" }
    let others = near.isEmpty ? nil : "The nearest names in the file: \(near.joined(separator: ", "))."
    let help = [others, advice].compactMap(\.self).joined(separator: " ")
    return ApusError(
      .malformedModel, "is missing", expected: expected, at: "tensor '\(key.clipped)'", file: collection.path,
      advice: help.isEmpty ? nil : help)
  }
}
