import Formats
import TensorCore

/// The weights of a model folder by their own names, in whatever form they are stored: a matrix that is packed, or int8
/// beside its scales, is one of them.
package struct FolderWeights: Sendable {
  private let root: WeightPath
  /// In the order of their tensors.
  package let names: [String]

  /// - Parameter tensors: those of the folder.
  /// - Throws: ``ApusError`` when `config.json` says that weights are stored in a form that Apus does not read.
  package init(_ folder: ModelFolder, _ tensors: SafetensorsCollection) throws(ApusError) {
    let forms = try folder.readingIfPresent("config.json") { (reader) throws(ApusError) in
      reader.passOverRest("only the form of the weights is asked for")
      return try reader.compressedForms()
    }
    root = WeightPath(tensors).stored(in: forms)
    names = tensors.names.compactMap { PackedWeight.weightName(of: $0, in: tensors) }
  }

  /// The extents of a weight; nil when there is none of that name.
  package func shape(of name: String) -> [Int]? {
    root.shape(of: name) ?? packed(name).map { [$0.rows, $0.columns] }
  }

  /// The numbers of a weight, as ``WeightPath/tensor(_:_:)`` has them.
  package func tensor(_ name: String) throws(ApusError) -> Tensor {
    try root.tensor(name, shape(of: name) ?? [])
  }

  /// The scales of a packed matrix; nil of weights that are not packed.
  package func groupScales(_ name: String) throws(ApusError) -> GroupScales? {
    try packed(name)?.scales(root.forms)
  }

  private func packed(_ name: String) -> PackedWeight? {
    guard root.contains(PackedWeight.name(name)) else { return nil }
    return try? PackedWeight(name, in: root.collection)
  }
}
