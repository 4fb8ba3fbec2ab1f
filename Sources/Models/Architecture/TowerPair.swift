import Formats
import TensorCore

/// A model with two towers, each of which may have a folder of its own, with embeddings in the space of both.
package enum TowerPair: String, Sendable {
  case clip = "CLIP"
  case sigLIP = "SigLIP"

  /// How the embeddings of two towers are compared.
  package struct Comparison: Sendable {
    package let encoder: DualEncoder
    /// The scale that stands beside the weights; nil where none does.
    package let learnedScale: Float?
    /// What to tell people of a number that nobody stated.
    package let note: String?
  }

  /// The greatest that CLIP's scale may become in training (Radford et al. 2021, section 2.5), which published models end
  /// at; its authors' examples multiply the cosines of separate embeddings by it.
  static let greatestCLIPScale: Float = 100

  /// This model, of which a folder has one tower; an error where modules of sentence-transformers stand beside it, which say
  /// how the tower is used by itself: CLIP's without its projection to the space of both.
  func tower(in folder: ModelFolder) -> Result<TowerPair, ApusError> {
    guard let list = folder.outer.file("modules.json") else { return .success(self) }
    return .failure(
      ApusError(
        .unsupportedModel,
        "\(rawValue)'s tower as modules of sentence-transformers use it by itself, without a model's other one",
        expected: "no list of modules", file: list,
        advice: "Without the file the tower is read as transformers reads it."))
  }

  /// How the embeddings of two towers are compared: as the caller says, else by the numbers that stand beside a tower's
  /// weights. transformers saves `logit_scale` and `logit_bias` with the whole model alone; its CLIP has no bias, whatever
  /// lies among the weights.
  /// - Parameters:
  ///   - folders: the weights of both folders.
  ///   - scale: what cosines are multiplied by; nil where the caller does not say.
  ///   - bias: what is added then; nil where the caller does not say.
  /// - Throws: ``ApusError`` of kind `argument` where it cannot be known, or the folders are not of one model; of kind
  ///   `malformedModel` for numbers that are not finite.
  package func comparison(
    of folders: [SafetensorsCollection], scale: Float?, bias: Float?
  ) throws(ApusError) -> Comparison {
    let learnedScale = try Self.place(of: "logit_scale", in: folders)?.learnedScale()
    let stated = scale ?? learnedScale
    let encoder: DualEncoder
    switch self {
    case .clip:
      encoder = DualEncoder(
        scale: stated ?? Self.greatestCLIPScale, bias: bias ?? 0, scoring: .softmax)
    case .sigLIP:
      let learnedBias = try Self.place(of: "logit_bias", in: folders)?.scalar("logit_bias")
      let known = (scale: stated, bias: bias ?? learnedBias)
      guard let scale = known.scale, let bias = known.bias else {
        throw missing(scale: known.scale, bias: known.bias)
      }
      encoder = DualEncoder(scale: scale, bias: bias, scoring: .sigmoid)
    }
    let note = """
      the folders of the towers have no logit_scale: cosines are multiplied by \(Int(Self.greatestCLIPScale)), the most that \
      \(rawValue) is trained to; \(Setting.logitScale) says another
      """
    return Comparison(
      encoder: encoder, learnedScale: learnedScale, note: stated == nil ? note : nil)
  }

  private func missing(scale: Float?, bias: Float?) -> ApusError {
    var numbers: [(tensor: String, setting: Setting, meaning: String)] = []
    if scale == nil {
      numbers.append(("logit_scale", .logitScale, "e to the whole model's logit_scale"))
    }
    if bias == nil {
      numbers.append(("logit_bias", .logitBias, "the whole model's logit_bias"))
    }
    func list(_ words: [String]) -> String { words.joined(separator: " and ") }
    return ApusError(
      .argument, "the folders of the towers have no \(numbers.map(\.tensor).joined(separator: " and no "))",
      expected: "what the whole \(rawValue) has",
      advice: "Give it with \(list(numbers.map(\.setting.description))): \(list(numbers.map(\.meaning))).")
  }

  /// The root that has a learned number, which is the same where both have it; nil where none has.
  private static func place(
    of name: String, in folders: [SafetensorsCollection]
  ) throws(ApusError) -> WeightPath? {
    var found: (number: Float, place: WeightPath)?
    for folder in folders {
      let place = WeightPath(folder)
      guard let number = try place.scalarIfPresent(name) else { continue }
      if let found, found.number != number {
        throw ApusError(
          .argument, "\(name) is \(number)",
          expected: "\(found.number), as in \(found.place.collection.path)",
          file: folder.path, advice: "The folders are not of one model.")
      }
      found = (number, place)
    }
    return found?.place
  }
}
