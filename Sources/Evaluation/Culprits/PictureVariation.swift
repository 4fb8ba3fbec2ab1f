import Images
import TensorCore

/// Another way to prepare pictures than the one in use.
struct PictureVariation: Sendable {
  let kind: Culprit.Kind
  /// What is different, after "with": `x/255 in place of x/127.5-1`.
  let name: String
  /// What to do when it is better.
  let advice: String
  let preprocessor: Preprocessor
  var transform = PixelTransform.none
  /// Whether another model under comparison is prepared so.
  var isInUse = false

  /// Usual alternatives to a model's preparation, and those of other models under comparison, without those that come to
  /// the same for `picture`.
  static func all(
    for current: Preprocessor, others: [(letter: String, preprocessor: Preprocessor)], picture: RGBImage
  ) throws(ApusError) -> [PictureVariation] {
    let candidates =
      try normalizations(current) + borrowed(others, current) + transforms(current) + geometries(current)
    let inUse = try borrowed(others, current).map { (variation) throws(ApusError) in
      try bytes(variation.preprocessor, picture)
    }
    var seen: Set = [try bytes(current, picture)]
    var (first, rest): ([PictureVariation], [PictureVariation]) = ([], [])
    for var candidate in candidates {
      let bytes = try bytes(candidate.preprocessor, candidate.transform(picture))
      guard seen.insert(bytes).inserted else { continue }
      candidate.isInUse = inUse.contains(bytes)
      // Of two that are as good, the one that another model uses says more.
      if candidate.isInUse { first.append(candidate) } else { rest.append(candidate) }
    }
    return first + rest
  }

  /// The preparations of other models, written into this one's input.
  private static func borrowed(
    _ others: [(letter: String, preprocessor: Preprocessor)], _ current: Preprocessor
  ) -> [PictureVariation] {
    others.compactMap { letter, other in
      // What is meant for colours does not fit an input for grey.
      guard let preprocessor = try? Preprocessor(other.profile, input: current.input) else { return nil }
      let profile = other.profile
      return PictureVariation(
        kind: .preparation,
        name:
          "the preparation of \(letter) (\(profile.resize), \(profile.geometry), \(profile.normalization))",
        advice:
          "Compare what the two models say of pictures: preprocessor_config.json, meta.json or metadata.",
        preprocessor: preprocessor)
    }
  }

  private static func bytes(_ preprocessor: Preprocessor, _ picture: RGBImage) throws(ApusError) -> [UInt8] {
    try preprocessor.tensor(picture).withBytes { Array($0) }
  }

  private static func normalizations(_ current: Preprocessor) throws(ApusError) -> [PictureVariation] {
    var variations: [PictureVariation] = []
    for rule in NormalizationRule.allCases {
      let normalization = rule.normalization
      variations.append(
        PictureVariation(
          kind: .normalization, name: "\(normalization) in place of \(current.profile.normalization)",
          advice:
            "Try \(Setting.normalization.given(rule.rawValue)), or give the model metadata that say so.",
          preprocessor: try current.with(normalization)))
    }
    return variations
  }

  private static func transforms(_ current: Preprocessor) -> [PictureVariation] {
    [
      PictureVariation(
        kind: .channelOrder, name: "red and blue exchanged",
        advice: "The model expects BGR: swap the channels of its first layer.",
        preprocessor: current,
        transform: .redAndBlueExchanged),
      PictureVariation(
        kind: .orientation, name: "rows and columns of the pictures exchanged",
        advice: "Check the order of height and width in the model's input.", preprocessor: current,
        transform: .transposed),
      PictureVariation(
        kind: .orientation, name: "pictures upside down",
        advice: "Check how the model's pictures were read.",
        preprocessor: current, transform: .upsideDown),
    ]
  }

  private static func geometries(_ current: Preprocessor) throws(ApusError) -> [PictureVariation] {
    let geometries: [Geometry] = [
      .stretch, .centerCrop(shorterSide: .ratio(8, over: 7), rounding: .torchvision),
      .centerCrop(shorterSide: .asInput, rounding: .huggingFace),
    ]
    var variations: [PictureVariation] = []
    for geometry in geometries where geometry != current.profile.geometry {
      let profile = PreprocessingProfile(
        name: current.profile.name, resize: current.profile.resize, geometry: geometry,
        normalization: current.profile.normalization)
      variations.append(
        PictureVariation(
          kind: .geometry, name: "\(geometry) in place of \(current.profile.geometry)",
          advice: "Prepare pictures as for training, with \(Setting.preprocessing).",
          preprocessor: try Preprocessor(profile, input: current.input)))
    }
    return variations
  }
}
