import CLibrary
import TensorCore

/// What a model's metadata make of the scores of its classes: of each a sigmoid of its own.
///
/// Source: MediaPipe's `score_calibration_calculator.cc`.
package struct ScoreCalibration: Sendable, Equatable {
  /// What is done to a score before its class' sigmoid.
  package enum Transformation: Int8, Sendable {
    case identity = 0
    case logarithm = 1
    case inverseLogistic = 2
  }

  /// `scale / (1 + e^−(slope · x + offset))`.
  package struct Sigmoid: Sendable, Equatable {
    let scale: Float
    let slope: Float
    let offset: Float
    /// The score below which the default counts; nil for none.
    let minimum: Float?
  }

  /// What the metadata of an output say beside the file with the sigmoids.
  package struct Options: Sendable, Equatable {
    let transformation: Transformation
    /// The score of classes without a sigmoid, and of those below their least score.
    let defaultScore: Float
  }

  let options: Options
  /// By class; nil for one without.
  let sigmoids: [Sigmoid?]

  package var classCount: Int { sigmoids.count }

  /// The calibrated scores.
  /// - Parameter scores: one for each class.
  package func callAsFunction(_ scores: [Float]) -> [Float] {
    zip(sigmoids, scores).map { sigmoid, score in
      guard let sigmoid, score >= sigmoid.minimum ?? -.infinity else { return options.defaultScore }
      let x = options.transformation(score) * sigmoid.slope + sigmoid.offset
      let result = Double(sigmoid.scale) / (1 + exp(-Double(x)))
      return max(min(Float(result), sigmoid.scale), 0)
    }
  }
}

extension ScoreCalibration.Transformation {
  fileprivate func callAsFunction(_ score: Float) -> Float {
    switch self {
    case .identity: score
    case .logarithm: Self.clampedLogarithm(score)
    case .inverseLogistic: Self.clampedLogarithm(score) - Self.clampedLogarithm(1 - score)
    }
  }

  /// Defined for numbers up to 0 too, where it goes on falling.
  private static func clampedLogarithm(_ x: Float) -> Float {
    let least = 1e-16
    return Float(Double(x) < least ? 2 * log(least) - log(2 * least - Double(x)) : log(Double(x)))
  }
}

extension ScoreCalibration.Options {
  /// - Parameter table: nil where the metadata leave it out, and all in it has its default.
  init(_ table: FlatBufferTable?) throws(ApusError) {
    let number = try table?.integer(0, "score_transformation", default: 0 as Int8) ?? 0
    guard let transformation = ScoreCalibration.Transformation(rawValue: number) else {
      throw ApusError(.unsupportedModel, "the score transformation \(number)", expected: "0, 1 or 2")
    }
    self.transformation = transformation
    defaultScore = try table?.float(1, "default_score") ?? 0
    guard defaultScore.isFinite else {
      throw ApusError(.malformedModel, "the default score \(defaultScore)", expected: "a finite number")
    }
  }
}

extension ScoreCalibration {
  /// Reads the lines `scale,slope,offset` or `scale,slope,offset,minimum`, one for each class; an empty one for a class
  /// without a sigmoid.
  init(_ options: Options, lines contents: [UInt8]) throws(ApusError) {
    var lines = String(decoding: contents, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
        $0.filter { !$0.isWhitespace }
      }
    if lines.last == "" { lines.removeLast() }
    var sigmoids: [Sigmoid?] = []
    for (index, line) in lines.enumerated() {
      guard !line.isEmpty else {
        sigmoids.append(nil)
        continue
      }
      let parts = line.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Float($0) }.filter(\.isFinite)
      guard numbers.count == parts.count, (3...4).contains(numbers.count), numbers[0] >= 0 else {
        throw ApusError(
          .malformedModel, "'\(line.clipped)'",
          expected: "scale,slope,offset, a least score or none, and a scale from 0 on",
          at: "line \(index + 1)")
      }
      sigmoids.append(
        Sigmoid(
          scale: numbers[0], slope: numbers[1], offset: numbers[2],
          minimum: numbers.count == 4 ? numbers[3] : nil))
    }
    self.options = options
    self.sigmoids = sigmoids
  }
}

extension TFLiteMetadata {
  /// What is made of the scores of an output; nil when they are left as they are.
  /// - Parameters:
  ///   - output: the position among the outputs of the main subgraph.
  ///   - model: the model that the metadata was read from.
  /// - Throws: ``ApusError`` when the file with the sigmoids is damaged or missing.
  package func scoreCalibration(
    ofOutput output: Int, of model: TFLiteModel
  ) throws(ApusError) -> ScoreCalibration? {
    guard let tensors = subgraphs.first?.outputs, tensors.indices.contains(output),
      let options = tensors[output].scoreCalibration
    else { return nil }
    guard let file = tensors[output].associatedFiles.first(where: { $0.kind == .scoreCalibration }) else {
      throw ApusError(.malformedModel, "the metadata ask for a score calibration and name no file with it")
    }
    let contents = try file.contents(
      of: "score calibration", in: model.bytes, limit: LabelFile.maximumByteCount)
    do {
      return try ScoreCalibration(options, lines: contents)
    } catch {
      throw error.at("score calibration '\(file.name.clipped)' in the model")
    }
  }
}
