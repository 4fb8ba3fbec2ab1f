import Apus
import Formats
import TensorCore

/// Puts out embeddings as they come: as text, as JSON, or as the rows of one array.
struct EmbeddingReport {
  private let isJSON: Bool
  private let keepsRows: Bool
  private let computation: Computation
  private var rows: [Float] = []
  private var width = 0
  private var succeeded = 0
  private var failed = 0

  /// Numbers of a vector shown to people.
  private static let shown = 6

  /// - Parameters:
  ///   - keepsRows: whether ``write(_:)`` will want them.
  ///   - computation: what all are computed with.
  init(isJSON: Bool, keepsRows: Bool, _ computation: Computation) {
    self.isJSON = isJSON
    self.keepsRows = keepsRows
    self.computation = computation
  }

  mutating func add(_ input: String, _ embedding: Embedding) {
    succeeded += 1
    width = embedding.values.count
    if keepsRows { rows += embedding.values }
    if let damage = embedding.damage { StandardStreams.report("apus: \(input): damaged: \(damage)") }
    if isJSON {
      var members: [(String, JSON)] = [
        ("input", .string(input)), ("truncated", .bool(embedding.wasTruncated)),
        ("embedding", .array(embedding.values.map(JSON.float))),
      ]
      if let damage = embedding.damage { members.append(("damaged", .string(damage))) }
      members += [computation.member, JSON.madeBy]
      StandardStreams.printLine(JSON.object(members).text)
    } else if !keepsRows {
      let head = embedding.values.prefix(Self.shown).map { Format.decimal(Double($0), 4) }
      let rest = width > Self.shown ? ", …" : ""
      let note = embedding.wasTruncated ? ", text cut to the model's length" : ""
      StandardStreams.printLine(
        "\(input.shortened(to: 60)): \(width) numbers [\(head.joined(separator: ", "))\(rest)]\(note)")
    }
  }

  mutating func failure(_ input: String, _ error: ApusError) {
    failed += 1
    if isJSON {
      StandardStreams.printLine(
        JSON.object([("input", .string(input)), ("error", .string("\(error)"))]).text)
    }
    StandardStreams.report("apus: input \(succeeded + failed): \(error)")
  }

  /// Writes the rows to a `.npy` file of shape [inputs, width].
  func write(_ path: String) throws(ApusError) {
    let count = width > 0 ? rows.count / width : 0
    let tensor = try Tensor(rows, shape: try Shape([count, width]))
    try OutputFile.write(try Npy.bytes(tensor), to: path)
    if !isJSON { StandardStreams.printLine("\(path): float32[\(count), \(width)]") }
  }

  func finish() -> ExitStatus? {
    guard failed > 0 else { return nil }
    return succeeded > 0 ? .someFailed : .badInputFile
  }
}
