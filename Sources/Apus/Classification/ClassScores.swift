import CLibrary
import Formats
import Statistics
import TensorCore

/// The scores of all classes, read from the output of a model.
package struct ClassScores {
  package private(set) var values: [Float]

  /// - Parameters:
  ///   - meaning: what the numbers are.
  ///   - temperature: the divisor of logits; for probabilities, of their logarithms, or of their log odds if each is
  ///     independent.
  ///   - calibration: what the model's metadata make of the numbers before anything else.
  ///   - model: what gave them, for errors.
  /// - Throws: ``ApusError`` when a number is NaN or infinite.
  package init(
    _ values: [Float], meaning: ScoreMeaning, temperature: Float = 1, calibration: ScoreCalibration? = nil,
    model: String? = nil
  ) throws(ApusError) {
    self.values = values
    // Minus infinity is a logit that rules a class out.
    if let bad = values.firstIndex(where: { $0.isNaN || $0 == .infinity }) {
      throw ApusError(
        .malformedModel, "the score of class \(bad) is \(values[bad])", expected: "a finite number",
        file: model, advice: "The weights of the model are damaged, or too large for their type.")
    }
    if let calibration { self.values = calibration(values) }
    switch meaning {
    case .logits: applySoftmax(temperature)
    case .independentLogits:
      self.values = self.values.map { Probabilities.logistic(Double($0 / temperature)) }
    case .probabilities where temperature != 1:
      self.values = self.values.map { logf($0) }
      applySoftmax(temperature)
    case .independentProbabilities where temperature != 1:
      self.values = self.values.map { Probabilities.logistic(Double(logf($0 / (1 - $0)) / temperature)) }
    case .probabilities, .independentProbabilities, .quantities: break
    }
  }

  /// The indices of the best scores, best first; of equal ones the lower index is first.
  func best(_ count: Int) -> [Int] {
    Array(Ranking.order(values).prefix(count))
  }

  private mutating func applySoftmax(_ temperature: Float) {
    guard let largest = values.max(), largest.isFinite else {
      // Every class ruled out: none is likelier than another.
      values = values.map { _ in 1 / Float(values.count) }
      return
    }
    values = Probabilities.softmax(distances: values.map { Double(($0 - largest) / temperature) })
  }

  /// The elements of an output, integers as the real numbers that they stand for.
  /// - Throws: ``ApusError`` when the type is not one of numbers.
  static func numbers(_ bytes: UnsafeRawBufferPointer, _ type: TensorType) throws(ApusError) -> [Float] {
    switch type.dataType {
    case .float32: return elements(bytes, Float.self) { $0 }
    case .uint8: return try real(elements(bytes, UInt8.self, Float.init), type)
    case .int8: return try real(elements(bytes, Int8.self, Float.init), type)
    case .int16: return try real(elements(bytes, Int16.self, Float.init), type)
    default:
      throw ApusError(
        .unsupportedModel, "an output of \(type.dataType.rawValue)",
        expected: "float32, int8, uint8 or int16",
        advice: "The model is not a classifier; \(Doing.runModel) gives its outputs as they are.")
    }
  }

  private static func elements<Element: TensorElement>(
    _ bytes: UnsafeRawBufferPointer, _: Element.Type, _ convert: (Element) -> Float
  ) -> [Float] {
    bytes.withMemoryRebound(to: Element.self) { $0.map(convert) }
  }

  private static func real(_ stored: [Float], _ type: TensorType) throws(ApusError) -> [Float] {
    guard let quantization = type.quantization, !quantization.isPerChannel else {
      throw ApusError(
        .unsupportedModel, "an output of \(type.dataType.rawValue) without one scale and zero point",
        expected: "quantization of the whole tensor")
    }
    return stored.map { ($0 - Float(quantization.zeroPoint)) * quantization.scale }
  }
}
