import Apus
import HTMLReport
import Images
import TensorCore

/// A picture on a page: a small copy of it, and what a model says of it.
package struct ShownPicture: Sendable {
  /// A label and its share of 1.
  package struct Score: Sendable, Hashable {
    let label: String
    let share: Float

    package init(label: String, share: Float) {
      self.label = label
      self.share = share
    }
  }

  /// A model's answer.
  package struct Answer: Sendable {
    /// Best first.
    let scores: [Score]
    let isUncertain: Bool
    /// Whether the picture is unlike all that the model knows.
    let isForeign: Bool
    /// A fault of the picture's file.
    let damage: String?
    let milliseconds: Double
    /// Details of the best label, a sentence or more each.
    let notes: [String]

    package init(_ result: Classification, notes: [String] = []) {
      self.notes = notes
      scores = result.predictions.map { Score(label: $0.named.label, share: $0.score) }
      isUncertain = result.isUncertain
      isForeign = result.uncertainty == .foreign
      damage = result.damage
      milliseconds = result.times.total.milliseconds
    }

    /// - Parameter labels: how many are shown, at most.
    package init(_ result: ZeroShotClassification, labels: Int) {
      notes = []
      scores = result.predictions.prefix(labels).map { Score(label: $0.label, share: $0.score) }
      isUncertain = result.isUncertain
      isForeign = result.uncertainty == .foreign
      damage = result.damage
      milliseconds = result.times.total.milliseconds
    }
  }

  let path: String
  /// Or why there is none.
  let answer: Result<Answer, ApusError>
  /// Nil where it cannot be read.
  let thumbnail: PageImage?

  private static let thumbnailSide = 320
  private static let thumbnailBytes = 16_000

  /// Opens the picture for its small copy.
  package init(
    _ path: String, _ answer: Result<Answer, ApusError>, limits: ImageLimits, options: ImageOptions
  ) {
    self.path = path
    self.answer = answer
    guard case .success = answer,
      let image = try? ImageDecoder.decode(contentsOf: path, limits: limits, options: options).image,
      let small = try? Thumbnail(of: image, side: Self.thumbnailSide, maximumBytes: Self.thumbnailBytes)
    else {
      thumbnail = nil
      return
    }
    thumbnail = PageImage(.jpeg, bytes: small.bytes, width: small.width, height: small.height)
  }
}
