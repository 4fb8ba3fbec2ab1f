import Apus

/// A tensor's name and type as JSON.
enum TensorDescription {
  static func members(_ name: String, _ type: TensorType) -> [(String, JSON)] {
    var members: [(String, JSON)] = [
      ("name", .string(name)), ("type", .string(type.dataType.rawValue)),
      ("shape", .array(type.shape.dimensions.map(JSON.integer))),
    ]
    if let quantization = type.quantization { members.append(("quantization", json(quantization))) }
    return members
  }

  private static func json(_ quantization: Quantization) -> JSON {
    var members: [(String, JSON)] = [
      ("scales", .array(quantization.scales.map(JSON.float))),
      ("zeroPoints", .array(quantization.zeroPoints.map { .integer(Int($0)) })),
    ]
    if let axis = quantization.axis { members.append(("axis", .integer(axis))) }
    return .object(members)
  }
}
