import CIntrinsics
import Foundation

/// A vector function, what it is in double precision, and how far it may be from that.
struct VectorFunctionCase: Sendable {
  /// A bound of the error for arguments of a range.
  struct Bound: Sendable {
    enum Unit: Sendable {
      /// Units in the last place of the true value: of float32, subnormal numbers included.
      case lastPlace
      case absolute
    }

    let arguments: ClosedRange<Float>
    let unit: Unit
    let limit: Double
  }

  let name: String
  let function: Int32
  let reference: @Sendable (Double) -> Double
  let bounds: [Bound]

  static let all = [
    VectorFunctionCase(
      name: "exp", function: APUS_EXP, reference: { Foundation.exp($0) },
      bounds: [Bound(arguments: -.infinity ... .infinity, unit: .lastPlace, limit: 1.04)]),
    VectorFunctionCase(
      name: "sigmoid", function: APUS_SIGMOID, reference: { 1 / (1 + Foundation.exp(-$0)) },
      bounds: [
        Bound(arguments: -87 ... .infinity, unit: .lastPlace, limit: 2.5),
        Bound(arguments: -.infinity ... -87, unit: .absolute, limit: 1e-38),
      ]),
    VectorFunctionCase(
      name: "tanh", function: APUS_TANH, reference: { Foundation.tanh($0) },
      bounds: [Bound(arguments: -.infinity ... .infinity, unit: .lastPlace, limit: 2.7)]),
    VectorFunctionCase(
      name: "GELU", function: APUS_GELU_EXACT,
      reference: { x in 0.5 * x * Foundation.erfc(-x / 2.0.squareRoot()) },
      bounds: [
        Bound(arguments: 0 ... .infinity, unit: .lastPlace, limit: 2.5),
        Bound(arguments: -1...0, unit: .lastPlace, limit: 4),
        Bound(arguments: -.infinity...0, unit: .absolute, limit: 6.1e-8),
      ]),
    VectorFunctionCase(
      name: "GELU, tanh", function: APUS_GELU_TANH,
      reference: { x in
        x / (1 + Foundation.exp(-2 * (2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)))
      },
      bounds: [
        Bound(arguments: 0 ... .infinity, unit: .lastPlace, limit: 1.9),
        Bound(arguments: -1...0, unit: .lastPlace, limit: 2.6),
        Bound(arguments: -.infinity...0, unit: .absolute, limit: 4.4e-8),
      ]),
    VectorFunctionCase(
      name: "GELU, sigmoid", function: APUS_GELU_SIGMOID,
      reference: { x in x / (1 + Foundation.exp(-1.702 * x)) },
      bounds: [
        Bound(arguments: 0 ... .infinity, unit: .lastPlace, limit: 1.8),
        Bound(arguments: -1...0, unit: .lastPlace, limit: 2.1),
        Bound(arguments: -.infinity...0, unit: .absolute, limit: 3.3e-8),
      ]),
    // Of minus infinity it is no number, as the product that it stands for.
    VectorFunctionCase(
      name: "swish", function: APUS_SWISH,
      reference: { x in x / (1 + Foundation.exp(-x)) },
      bounds: [
        Bound(arguments: 0 ... .infinity, unit: .lastPlace, limit: 2),
        Bound(arguments: -1...0, unit: .lastPlace, limit: 2.5),
        Bound(arguments: -.greatestFiniteMagnitude...0, unit: .absolute, limit: 5e-8),
      ]),
  ]

  /// The limit of the function where the reference's formula gives NaN.
  func trueValue(_ x: Float) -> Double {
    let value = reference(Double(x))
    return value.isNaN && x == -.infinity ? 0 : value
  }
}

extension VectorFunctionCase.Bound {
  /// The error in the bound's unit; infinite where one of both is infinite or NaN and the other is not.
  func error(of found: Float, from wanted: Double) -> Double {
    let rounded = Float(wanted)
    if rounded.isNaN { return found.isNaN ? 0 : .infinity }
    if !rounded.isFinite || !found.isFinite { return found == rounded ? 0 : .infinity }
    let difference = abs(Double(found) - wanted)
    switch unit {
    case .absolute: return difference
    case .lastPlace: return difference / Double(max(rounded.ulp, Float.leastNonzeroMagnitude))
    }
  }
}
