import CommandSupport
import Apus
import Formats
import TensorCore

/// Puts out embeddings as they come: as text, as JSON, or as the rows of one array.
struct EmbeddingReport {
  private let isJSON: Bool
  private let keepsRows: Bool
  private var rows = VectorRows()
  private var succeeded = 0
  private var failed = 0
  /// The codes of the errors of those that failed.
  private var causes: Set<ExitStatus> = []

  /// Numbers of a vector shown to people.
  private static let shown = 6

  /// - Parameter keepsRows: whether ``write(_:)`` will want them.
  init(isJSON: Bool, keepsRows: Bool) {
    self.isJSON = isJSON
    self.keepsRows = keepsRows
  }

  /// Reports what came of the next input.
  mutating func add(_ embedded: EmbeddedInput) {
    switch embedded.result {
    case .success(let embedding): add(embedded, embedding)
    case .failure(let error): failure(embedded.input, error, hasRow: embedded.standsForInput)
    }
  }

  private mutating func add(_ embedded: EmbeddedInput, _ embedding: Embedding) {
    let input = embedded.input
    succeeded += 1
    if let damage = embedding.damage { StandardStreams.report("apus: \(input.name): damaged: \(damage)") }
    if isJSON {
      var members = input.members + row
      members += [
        ("truncated", .bool(embedding.wasTruncated)),
        ("embedding", .array(embedding.values.map(JSON.float))),
      ]
      if let damage = embedding.damage { members.append(("damaged", .string(damage))) }
      if embedded.holdsProbabilities { members.append(("probabilities", .bool(true))) }
      members += [embedded.computation.member, JSON.madeBy]
      StandardStreams.print(JSON.object(members))
    } else if !keepsRows {
      let (width, values) = (embedding.values.count, embedding.values.prefix(Self.shown))
      let head = values.map { Format.decimal(Double($0), 4) }.joined(separator: ", ")
      let note = embedding.wasTruncated ? ", text cut to the model's length" : ""
      StandardStreams.printText(
        "\(input.name.shortened(to: 60)): \(width) numbers [\(head)\(width > Self.shown ? ", …" : "")]\(note)"
      )
    }
    if keepsRows { rows.append(embedding.values) }
  }

  /// Reports an input that gave no result.
  /// - Parameter hasRow: whether a row of NaN stands for it: not for an argument that stands for no input.
  private mutating func failure(_ input: EmbeddedInput.Input, _ error: ApusError, hasRow: Bool) {
    failed += 1
    causes.insert(ExitStatus(error) ?? .badInputFile)
    if isJSON {
      StandardStreams.print(
        JSON.object(input.members + (hasRow ? row : []) + [("error", .string("\(error)")), JSON.madeBy]))
    }
    StandardStreams.report("apus: input \(succeeded + failed): \(error)")
    if keepsRows, hasRow { rows.appendMissing() }
  }

  private var row: [JSON.Member] { keepsRows ? [("row", .integer(rows.count))] : [] }

  /// Writes the rows to a `.npy` file of shape [inputs, width], unless there is none but of failed inputs.
  /// - Returns: what the file has where more inputs should have come, `a.npy: rows of 2 inputs`, which need not be the first
  ///   ones, as pictures stand behind texts; nil where none is written.
  func write(_ path: String) throws(ApusError) -> String? {
    guard let tensor = try rows.tensor() else { return nil }
    try OutputFile.write(try Npy.bytes(tensor), to: path)
    let part = "\(path): rows of \(rows.count) input\(rows.count == 1 ? "" : "s")"
    guard !isJSON else { return part }
    let missing = rows.missing > 0 ? ", NaN where an input failed: \(rows.missing) of the rows" : ""
    OutputFile.tell("\(path): \(tensor.type)\(missing)", of: path)
    return part
  }

  func finish() -> ExitStatus? {
    guard failed > 0 else { return nil }
    return ExitStatus(causes: causes, othersSucceeded: succeeded > 0)
  }
}

/// The vectors of inputs in their order, one row each: NaN for one that failed, so that rows stay with their inputs.
struct VectorRows {
  private var values: [Float] = []
  /// 0 before the first vector.
  private var width = 0
  private(set) var count = 0
  private(set) var missing = 0

  mutating func append(_ vector: [Float]) {
    if width == 0 {
      width = vector.count
      values = [Float](repeating: .nan, count: count * width)
    }
    values += vector
    count += 1
  }

  mutating func appendMissing() {
    values += [Float](repeating: .nan, count: width)
    count += 1
    missing += 1
  }

  /// The rows as an array; nil when there is no vector.
  func tensor() throws(ApusError) -> Tensor? {
    count > missing ? try Tensor(values, shape: Shape([count, width])) : nil
  }
}
