import CommandSupport
import Apus
import TensorCore

/// The output of `similarity`.
struct SimilarityReport {
  private let table: SimilarityTable
  private let matrix: SimilarityMatrix
  /// The computation of texts and pictures; nil if there are none.
  private let computation: Computation?
  private let nearest: Int?

  /// Columns that have their names above them; more are numbered.
  private static let namedColumns = 6
  private static let nameLength = 16

  init(_ table: SimilarityTable, nearest: Int?) {
    self.table = table
    matrix = table.matrix
    let different = (table.rows + table.columns).map(\.computation).reduce(into: [Computation]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    computation = different.first.map { first in different.dropFirst().reduce(first) { $0.and($1) } }
    self.nearest = nearest
  }

  /// Messages for inputs without a vector and for damaged ones.
  var failures: [String] {
    inputs.enumerated().compactMap { (index, embedded) -> String? in
      switch embedded.result {
      case .failure(let error):
        switch embedded.input {
        case .text: "input \(index + 1): \(error)"
        case .picture(let path): "\(error.inFile(path))"
        }
      case .success(let embedding): embedding.damage.map { "\(embedded.input.name): damaged: \($0)" }
      }
    }
  }

  var status: ExitStatus? {
    var causes: Set<ExitStatus> = []
    for input in inputs {
      if case .failure(let error) = input.result { causes.insert(ExitStatus(error) ?? .badInputFile) }
    }
    guard !causes.isEmpty else { return nil }
    let isAnyCompared = [table.rows, table.others].allSatisfy { $0.contains { $0.embedding != nil } }
    return ExitStatus(causes: causes, othersSucceeded: isAnyCompared)
  }

  /// All that was given, arguments that stand for none among it.
  private var inputs: [EmbeddedInput] { table.entries.map(table.input) }

  var lines: [String] { nearest.map(nearestLines) ?? matrixLines }

  private func nearestLines(_ count: Int) -> [String] {
    var lines: [String] = []
    for row in table.rows.indices where table.rows[row].embedding != nil {
      if !lines.isEmpty { lines.append("") }
      lines.append(table.rows[row].input.name.shortened(to: 80))
      var found = Table([("", .right), ("", .left)])
      for (position, cosine) in matrix.nearest(count, ofRow: row) {
        found.append(["  " + Self.text(cosine), table.others[position].input.name.shortened(to: 80)])
      }
      lines += found.lines
    }
    return lines
  }

  private var matrixLines: [String] {
    let others = table.others
    let isNumbered = others.count > Self.namedColumns
    var lines: [String] = []
    if isNumbered, !table.comparesAll {
      for (index, other) in others.enumerated() {
        lines.append("\(index + 1)  \(other.input.name.shortened(to: 80))")
      }
      lines.append("")
    }
    var titles = [("", Table.Alignment.left)]
    for (index, other) in others.enumerated() {
      titles.append(
        (isNumbered ? "\(index + 1)" : other.input.shortName.shortened(to: Self.nameLength), .right))
    }
    var cells = Table(titles)
    for (index, row) in table.rows.enumerated() {
      let number = isNumbered && table.comparesAll ? "\(index + 1)  " : ""
      cells.append(
        [number + row.input.shortName.shortened(to: 40)] + matrix.cosines(ofRow: index).map(Self.text))
    }
    return lines + cells.lines
  }

  private static func text(_ cosine: Float) -> String {
    cosine.isNaN ? "-" : Format.decimal(Double(cosine), 4)
  }
}

extension SimilarityReport {
  /// Prints a JSON object for each row and for each argument that stands for none, in their order.
  func printRecords() {
    for entry in table.entries {
      switch entry {
      case .row(let row): StandardStreams.print(JSON.object(members(ofRow: row)))
      case .absent(let embedded): StandardStreams.print(JSON.object(failure(embedded)))
      case .column: continue
      }
    }
  }

  private func failure(_ embedded: EmbeddedInput) -> [JSON.Member] {
    guard case .failure(let error) = embedded.result else { return [] }
    return embedded.input.members + [("error", .string("\(error)")), JSON.madeBy]
  }

  private func members(ofRow row: Int) -> [JSON.Member] {
    let embedded = table.rows[row]
    var members = embedded.input.members
    guard let embedding = embedded.embedding else { return failure(embedded) }
    members.append(("truncated", .bool(embedding.wasTruncated)))
    if let damage = embedding.damage { members.append(("damaged", .string(damage))) }
    if let nearest {
      members.append(("nearest", .array(matrix.nearest(nearest, ofRow: row).map(near))))
    } else {
      members.append(("cosines", .array(matrix.cosines(ofRow: row).map(JSON.float))))
    }
    return members + [computation?.member, JSON.madeBy].compactMap(\.self)
  }

  private func near(_ position: Int, _ cosine: Float) -> JSON {
    .object(
      table.others[position].input.members + [("index", .integer(position)), ("cosine", .float(cosine))])
  }
}
