import TensorCore

/// A model folder that is written and has no name yet.
struct FolderCandidate {
  let folder: NewFolder
  let conversion: WeightConversion
  /// The names of its files with weights.
  let files: [String]
  /// Whether its configuration says the form of the weights, for compressed-tensors.
  let isConfigured: Bool
}
