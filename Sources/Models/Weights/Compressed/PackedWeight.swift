import Formats
import TensorCore

/// A matrix that compressed-tensors packed, by the tensors of its parts.
///
/// - `…_packed`: int32 [rows, words], see ``PackedIntegers``.
/// - `…_shape`: int64, the matrix's rows and columns.
/// - `…_scale`: float32, float16 or bfloat16, one for each group of columns in each row, each row, or the matrix.
/// - `…_zero_point`: int32 [words, groups], integers as those of the matrix, packed along its columns; or none.
package struct PackedWeight {
  private let key: String
  private let collection: SafetensorsCollection
  let rows: Int
  let columns: Int

  /// The name of the packed integers of a matrix.
  static func name(_ key: String) -> String { key + ending }
  private static let ending = "_packed"

  /// What people call the type of the integers in a tensor: `int4`; nil of tensors that are not packed.
  package static func typeName(_ entry: SafetensorsEntry, in collection: SafetensorsCollection) -> String? {
    guard entry.name.hasSuffix(ending), entry.type == .int32, entry.shape.count == 2,
      let weight = try? PackedWeight(String(entry.name.dropLast(ending.count)), in: collection)
    else { return nil }
    let bits = [4, 8].first { bits in
      PackedForm(bits: bits, span: .row, isSymmetric: true).words(weight.columns) == entry.shape[1]
    }
    return bits.map { "int\($0)" }
  }

  /// The name of the weight that a tensor holds, or the integers of; nil of scales and other parts of one.
  static func weightName(of tensor: String, in collection: SafetensorsCollection) -> String? {
    func name(without ending: String) -> String? {
      tensor.hasSuffix(ending) ? String(tensor.dropLast(ending.count)) : nil
    }
    if let key = name(without: ending), collection.contains(key + "_shape") { return key }
    let isPart = ["_scale", "_zero_point", "_shape"].compactMap(name).contains {
      collection.contains(Self.name($0)) || collection[$0]?.type == .int8
    }
    return isPart ? nil : tensor
  }

  /// - Throws: ``ApusError`` when there is no sound shape beside the packed integers.
  init(_ key: String, in collection: SafetensorsCollection) throws(ApusError) {
    self.key = key
    self.collection = collection
    let name = key + "_shape"
    guard let entry = collection[name], entry.type == .int64, entry.shape == [2] else {
      throw Self.malformed(
        name, collection[name], expected: "int64 [2]: the extents of what is packed beside it")
    }
    let extents: [Int64] = try collection.tensor(name).elements()
    guard let rows = Int(exactly: extents[0]), let columns = Int(exactly: extents[1]), rows >= 0, columns >= 0
    else {
      throw ApusError(
        .malformedModel, "says shape \(extents)", expected: "extents that are not negative",
        at: "tensor '\(name.clipped)'")
    }
    (self.rows, self.columns) = (rows, columns)
  }

  /// The matrix, whose elements are made when they are first read: in the type of its scales, as compressed-tensors
  /// has it; or int8 with a scale for each row, which are the same numbers where the scales are so and float32.
  /// - Throws: ``ApusError`` when the parts are missing, or of other types or shapes than a form has.
  func tensor(_ forms: CompressedForms?, _ storages: DerivedStorages) throws(ApusError) -> Tensor {
    let packed = try part("_packed", .int32), scales = try part("_scale", .float32, .float16, .bfloat16)
    for other in ["_g_idx", "_global_scale"] where collection.contains(key + other) {
      throw ApusError(
        .unsupportedModel, "stands beside packed weights", expected: "none of that name",
        at: "tensor '\((key + other).clipped)'")
    }
    let form = try form(of: forms?.packed ?? [], packed, scales)
    let points = form.isSymmetric ? nil : try zeroPoints(form, scales)
    let shape = try Shape([rows, columns])
    let sources = try [packed, scales, points].compactMap(\.self).map { (entry) throws(ApusError) in
      try collection.tensor(entry.name)
    }
    let quantization = try rowScales(form, sources[1])
    let type = TensorType(
      quantization == nil ? sources[1].dataType : .int8, shape, quantization: quantization)
    let matrix = PackedMatrixReader(form, rows: rows, columns: columns, sources, as: type.dataType)
    return try storages.tensor(key, type, from: sources, rule: matrix.rule, rows: matrix.derivedRows) {
      matrix.write($0)
    }
  }

  /// - Throws: ``ApusError`` as ``tensor(_:_:)`` does.
  func scales(_ forms: CompressedForms?) throws(ApusError) -> GroupScales {
    let packed = try part("_packed", .int32), scales = try part("_scale", .float32, .float16, .bfloat16)
    let form = try form(of: forms?.packed ?? [], packed, scales)
    let stored = try collection.tensor(scales.name).realNumbers()
    return GroupScales(
      scales: form.span == .matrix ? Array(repeating: stored[0], count: rows) : stored, rows: rows,
      size: form.columnsOfScale(columns))
  }

  /// Nil where groups, types or zero points want floats.
  private func rowScales(_ form: PackedForm, _ scales: Tensor) throws(ApusError) -> Quantization? {
    guard form.isSymmetric, scales.dataType == .float32, form.columnsOfScale(columns) == columns, rows > 0
    else {
      return nil
    }
    let numbers: [Float] = try scales.elements()
    return try? Quantization(
      scales: numbers, zeroPoints: [Int32](repeating: 0, count: numbers.count), axis: 0)
  }

  /// The form of the configuration that the parts have.
  private func form(
    of forms: [PackedForm], _ packed: SafetensorsEntry, _ scales: SafetensorsEntry
  ) throws(ApusError) -> PackedForm {
    let isSymmetric = !collection.contains(key + "_zero_point")
    let fitting = forms.filter {
      packed.shape == [rows, $0.words(columns)] && $0.scaleShapes(rows, columns).contains(scales.shape)
        && $0.isSymmetric == isSymmetric
    }
    guard let form = fitting.first else { throw misfit(forms, packed, scales) }
    // Forms that give the same matrix are as good as one.
    guard
      fitting.allSatisfy({
        $0.bits == form.bits && $0.columnsOfScale(columns) == form.columnsOfScale(columns)
      })
    else {
      throw ApusError(
        .unsupportedModel, "may be packed in \(fitting.count) of the ways that config.json says",
        expected: "shapes that tell which", at: packed.label)
    }
    return form
  }

  private func misfit(
    _ forms: [PackedForm], _ packed: SafetensorsEntry, _ scales: SafetensorsEntry
  ) -> ApusError {
    guard let form = forms.first, forms.count == 1 else {
      return ApusError(
        .malformedModel, "is packed, with shape \(packed.shape) and scales \(scales.shape)",
        expected: "one of the ways to pack [\(rows), \(columns)] that config.json says (\(forms.count))",
        at: packed.label)
    }
    let words = [rows, form.words(columns)]
    guard packed.shape == words else {
      return Self.malformed(
        packed.name, packed, expected: "\(words) for \(form.bits) bits of [\(rows), \(columns)]")
    }
    let shapes = form.scaleShapes(rows, columns)
    guard shapes.contains(scales.shape) else {
      return Self.malformed(
        scales.name, scales, expected: shapes.map { "\($0)" }.joined(separator: " or ") + ", by config.json")
    }
    let name = key + "_zero_point"
    return Self.malformed(
      name, collection[name],
      expected: form.isSymmetric ? "none, as config.json says symmetric" : "zero points, by config.json")
  }

  private func zeroPoints(
    _ form: PackedForm, _ scales: SafetensorsEntry
  ) throws(ApusError) -> SafetensorsEntry {
    let entry = try part("_zero_point", .int32)
    let shape = [form.words(rows), scales.shape.dropFirst().reduce(1, *)]
    guard entry.shape == shape else { throw Self.malformed(entry.name, entry, expected: "\(shape)") }
    return entry
  }

  private func part(_ ending: String, _ types: SafetensorsType...) throws(ApusError) -> SafetensorsEntry {
    let name = key + ending
    guard let entry = collection[name], types.contains(entry.type) else {
      let names = types.map(\.rawValue).joined(separator: ", ")
      throw Self.malformed(
        name, collection[name], expected: "a tensor of \(names), as '\(key.clipped)' is packed")
    }
    return entry
  }

  private static func malformed(
    _ name: String, _ found: SafetensorsEntry?, expected: String
  ) -> ApusError {
    ApusError(
      .malformedModel, found.map { "is \($0.type.rawValue) \($0.shape)" } ?? "is missing", expected: expected,
      at: "tensor '\(name.clipped)'")
  }
}
