import Formats
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Packed matrices are what compressed-tensors unpacks, bit for bit; damaged ones are errors that name the part.
struct PackedWeightTests {
  @Test func theFixtureIsRead() { #expect(PackedMatrixCase.all.count > 60) }

  @Test(arguments: PackedMatrixCase.all)
  func areWhatCompressedTensorsUnpacks(_ this: PackedMatrixCase) throws {
    let tensor = try this.parts.path([this.form]).tensor("weight", [this.rows, this.columns])
    let expected = PackedMatrixCase.bytes(this.weight, this.type == "F32" ? 4 : 2)
    if tensor.dataType == .int8 {
      // Integers that are multiplied with the scale of their row.
      #expect(this.type == "F32" && this.symmetric && this.strategy != "group")
      #expect(SafetensorsBuilder.bytes(try tensor.realNumbers()) == expected)
    } else {
      #expect(SafetensorsType(tensor.dataType).rawValue == this.type)
      #expect(tensor.withBytes { Array($0) } == expected)
    }
  }

  /// The last columns of a row are a group of their own, which compressed-tensors does not write.
  @Test func theLastGroupMayBeShorter() throws {
    let parts = PackedParts(
      packed: ("I32", [2, 2], PackedMatrixCase.bytes([0x7654_3210, 0x0000_0F98, 0xFFFF_FFFF, 0xFFF], 4)),
      scale: ("F32", [2, 3], SafetensorsBuilder.bytes([1, 2, 4, 0.5, -1, 3])),
      shape: ("I64", [2], PackedMatrixCase.bytes([2, 0, 11, 0], 4)))
    let form = PackedForm(bits: 4, span: .group(5), isSymmetric: true)
    let expected: [Float] =
      [-8, -7, -6, -5, -4, -6, -4, -2, 0, 2, 28] + [3.5, 3.5, 3.5, 3.5, 3.5, -7, -7, -7, -7, -7, 21]
    #expect(try parts.path([form]).tensor("weight", [2, 11]).elements() == expected)
  }

  /// The forms of several groups of layers are told apart by the shapes of the parts.
  @Test func theFormThatFitsIsTaken() throws {
    let forms = [4, 8].flatMap { bits in
      [PackedForm.Span.group(32), .group(16), .row].flatMap { span in
        [true, false].map { PackedForm(bits: bits, span: span, isSymmetric: $0) }
      }
    }
    for this in PackedMatrixCase.all where this.group == 32 {
      let tensor = try this.parts.path(forms).tensor("weight", [this.rows, this.columns])
      #expect(
        tensor.withBytes { Array($0) } == PackedMatrixCase.bytes(this.weight, this.type == "F32" ? 4 : 2))
    }
  }

  @Test func formsThatCannotBeToldApartAreRefused() throws {
    let this = try #require(PackedMatrixCase.all.first { $0.bits == 8 && $0.columns == 1 && $0.symmetric })
    let other = PackedForm(bits: 4, span: .row, isSymmetric: true)
    let path = try this.parts.path([this.form, other])
    let error = #expect(throws: ApusError.self) { try path.tensor("weight", [this.rows, 1]) }
    #expect(error?.kind == .unsupportedModel)
  }

  /// Graphs for texts of other lengths read the same weights.
  @Test func tensorsInUseAreShared() throws {
    let this = try #require(PackedMatrixCase.all.first { $0.strategy == "group" })
    let path = try this.parts.path([this.form])
    let first = try path.tensor("weight", [this.rows, this.columns])
    #expect(try path.tensor("weight", [this.rows, this.columns]).storage === first.storage)
    let rows = try path.weight("weight", [this.rows, this.columns]).rows(1..<3).tensor
    let start = this.columns * first.dataType.byteCount
    #expect(rows.withBytes { Array($0) } == first.withBytes { Array($0[start..<(3 * start)]) })
  }

  struct Damage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let says: String
    let change: @Sendable (inout PackedParts) -> Void

    init(_ name: String, _ says: String, _ change: @escaping @Sendable (inout PackedParts) -> Void) {
      (testDescription, self.says, self.change) = (name, says, change)
    }
  }

  /// Of a matrix [9, 64] in 4 bits with groups of 32 columns and zero points.
  static let damages: [Damage] = [
    Damage("no scales", "weight_scale") { $0.scale = nil },
    Damage("no shape", "weight_shape") { $0.shape = nil },
    Damage("no zero points", "weight_zero_point") { $0.zeroPoint = nil },
    Damage("a negative extent", "not negative") { $0.shape?.bytes[7] = 0x80 },
    Damage("another shape", "expected [9, 64]") { $0.shape?.bytes[8] = 60 },
    Damage("a shape of three", "weight_shape") {
      $0.shape = ("I64", [3], PackedMatrixCase.bytes([9, 0, 64, 0, 1, 0], 4))
    },
    Damage("a shape of other integers", "weight_shape") {
      $0.shape = ("I32", [2], PackedMatrixCase.bytes([9, 64], 4))
    },
    Damage("too few integers", "[9, 8] for 4 bits") {
      $0.packed = ("I32", [9, 7], [UInt8](repeating: 0, count: 252))
    },
    Damage("too few rows", "[9, 8] for 4 bits") {
      $0.packed = ("I32", [8, 8], [UInt8](repeating: 0, count: 256))
    },
    Damage("integers in a vector", "[9, 8] for 4 bits") { $0.packed?.shape = [72] },
    Damage("integers of another type", "weight_packed") { $0.packed?.type = "U32" },
    Damage("scales of another shape", "[9, 2]") { $0.scale?.shape = [2, 9] },
    Damage("scales of another type", "weight_scale") { $0.scale?.type = "I32" },
    Damage("zero points that are not packed", "weight_zero_point") {
      $0.zeroPoint = ("I8", [9, 2], [UInt8](repeating: 0, count: 18))
    },
    Damage("zero points of another shape", "[2, 2]") { $0.zeroPoint?.shape = [4, 1] },
    Damage("columns in another order", "weight_g_idx") {
      $0.others = [("m.weight_g_idx", ("I32", [1], [0, 0, 0, 0]))]
    },
    Damage("the matrix beside it", "packed, too") { $0.others = [("m.weight", ("F32", [1], [0, 0, 0, 0]))] },
  ]

  @Test(arguments: damages)
  func damagedPartsAreNamed(_ damage: Damage) throws {
    let this = try #require(
      PackedMatrixCase.all.first { $0.bits == 4 && $0.group == 32 && !$0.symmetric && $0.type == "F32" })
    var parts = this.parts
    damage.change(&parts)
    let path = try parts.path([this.form])
    let error = #expect(throws: ApusError.self) { try path.tensor("weight", [9, 64]) }
    #expect(error?.kind == .malformedModel || error?.kind == .unsupportedModel)
    #expect(error?.description.contains(damage.says) == true, "\(error?.description ?? "")")
    #expect(error?.file == "model.safetensors")
  }

  /// What the configuration says of the weights and what the file has must agree.
  @Test func weightsInAnotherFormThanIsStatedAreRefused() throws {
    let this = try #require(PackedMatrixCase.all.first { $0.group == 32 })
    for forms in [nil, []] as [[PackedForm]?] {
      let error = #expect(throws: ApusError.self) {
        try this.parts.path(forms).tensor("weight", [this.rows, this.columns])
      }
      #expect(error?.description.contains("config.json does not say how") == true)
    }
    let rows = PackedParts(others: [
      ("m.weight", ("I8", [1, 2], [1, 2])), ("m.weight_scale", ("F32", [1], SafetensorsBuilder.bytes([1]))),
    ])
    let error = #expect(throws: ApusError.self) { try rows.path([this.form]).tensor("weight", [1, 2]) }
    #expect(error?.description.contains("m.weight_packed") == true)
    _ = try rows.path([this.form], hasRows: true).tensor("weight", [1, 2])
  }
}
