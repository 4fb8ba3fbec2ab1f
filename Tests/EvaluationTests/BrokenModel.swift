import Formats
import Foundation
import Quantizer
import TensorCore
import TestSupport

/// Copies of the shipped models that are broken on purpose, in folders that are removed with them.
final class BrokenModel {
  private let folder: TemporaryFolder

  /// - Parameter name: a folder of `Weights`.
  init(_ name: String) throws {
    folder = try TemporaryFolder(copying: Checkout.file("Weights/\(name)").path)
  }

  init(copying other: BrokenModel) throws { folder = try TemporaryFolder(copying: other.path()) }

  /// - Parameters:
  ///   - name: a folder of `Weights`, which is first written in int4.
  ///   - groupSize: columns that have a scale in common.
  init(packing name: String, groupSize: Int) throws {
    folder = try TemporaryFolder()
    try FileManager.default.removeItem(atPath: folder.path)
    var options = ModelQuantizer.Options(.int4)
    options.groupSize = groupSize
    _ = try ModelQuantizer(Checkout.file("Weights/\(name)").path, options).write(to: folder.path)
  }

  /// The folder, or a file in it.
  func path(_ file: String? = nil) -> String { file.map { "\(folder.path)/\($0)" } ?? folder.path }

  /// Replaces a text that occurs in a file.
  func replace(_ text: String, with other: String, in file: String) throws {
    let old = try String(contentsOfFile: path(file), encoding: .utf8)
    guard old.contains(text) else { throw Missing(what: text) }
    try folder.write(file, old.replacing(text, with: other))
  }

  struct Missing: Error { let what: String }

  // MARK: Safetensors

  /// Multiplies the float16 or float32 elements of some rows of a tensor.
  func multiply(_ tensor: String, rows: Range<Int>? = nil, by factor: Float) throws {
    try edit { bytes, file, start in
      guard let entry = file.entries.first(where: { $0.name == tensor }) else { throw Missing(what: tensor) }
      let row = entry.bytes.count / max(entry.shape.first ?? 1, 1)
      let range = rows.map { ($0.lowerBound * row)..<($0.upperBound * row) } ?? 0..<entry.bytes.count
      let width = entry.type == .float32 ? 4 : 2
      for place in stride(
        from: start + entry.bytes.lowerBound + range.lowerBound,
        to: start + entry.bytes.lowerBound + range.upperBound, by: width)
      {
        Self.multiply(&bytes, at: place, width: width, by: factor)
      }
    }
  }

  /// Puts two tensors of one size into each other's place.
  func exchange(_ first: String, _ second: String) throws {
    try edit { bytes, file, start in
      let entries = [first, second].compactMap { name in file.entries.first { $0.name == name } }
      guard entries.count == 2 else { throw Missing(what: "\(first), \(second)") }
      let places = entries.map { ($0.bytes.lowerBound + start)..<($0.bytes.upperBound + start) }
      let parts = places.map { Array(bytes[$0]) }
      bytes.replaceSubrange(places[0], with: parts[1])
      bytes.replaceSubrange(places[1], with: parts[0])
    }
  }

  /// Puts the rows of a tensor into the other order.
  func reverseRows(_ tensor: String) throws {
    try edit { bytes, file, start in
      guard let entry = file.entries.first(where: { $0.name == tensor }), let rows = entry.shape.first,
        rows > 0
      else { throw Missing(what: tensor) }
      let place = (entry.bytes.lowerBound + start)..<(entry.bytes.upperBound + start)
      let (old, width) = (Array(bytes[place]), entry.bytes.count / rows)
      let reversed = (0..<rows).reversed().flatMap { old[($0 * width)..<(($0 + 1) * width)] }
      bytes.replaceSubrange(place, with: reversed)
    }
  }

  private func edit(_ body: (inout [UInt8], SafetensorsFile, _ start: Int) throws -> Void) throws {
    let name = "model.safetensors"
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    let header = (0..<8).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
    let file = try SafetensorsFile(bytes, named: name)
    try body(&bytes, file, 8 + header)
    try folder.write(name, bytes)
  }

  private static func multiply(_ bytes: inout [UInt8], at place: Int, width: Int, by factor: Float) {
    let bits = (0..<width).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
    let product =
      width == 4
      ? (Float(bitPattern: bits) * factor).bitPattern
      : UInt32(Float16(Float(Float16(bitPattern: UInt16(truncatingIfNeeded: bits))) * factor).bitPattern)
    for index in 0..<width {
      bytes[place + index] = UInt8(truncatingIfNeeded: product >> (8 * UInt32(index)))
    }
  }

  // MARK: Tokenizer

  /// Gives the pieces behind the special tokens each other's ids.
  func shuffleIDs() throws {
    let name = "tokenizer.json"
    let text = try Data(contentsOf: URL(fileURLWithPath: path(name)))
    guard var tokenizer = try JSONSerialization.jsonObject(with: text) as? [String: Any],
      var model = tokenizer["model"] as? [String: Any], let vocabulary = model["vocab"] as? [String: Int]
    else { throw Missing(what: name) }
    let pieces = vocabulary.filter { $0.value >= 5 }.sorted { $0.value < $1.value }
    var changed = vocabulary
    for (piece, partner) in zip(pieces, pieces.reversed()) { changed[piece.key] = partner.value }
    model["vocab"] = changed
    tokenizer["model"] = model
    try folder.write(name, try JSONSerialization.data(withJSONObject: tokenizer))
  }

  // MARK: TFLite

  /// Writes a `.tflite` file of the folder anew, changed.
  func rewrite(_ file: String, _ change: (inout TFLiteDraft) throws -> Void) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(file))))
    var draft = try TFLiteDraft(TFLiteModel(bytes))
    try change(&draft)
    try folder.write(file, try TFLiteWriter.bytes(draft))
  }
}
