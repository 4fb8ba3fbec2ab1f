import CommandSupport
import Apus
import ArgumentParser
import Graph
import TensorCore

/// The table of a profile: where the time of a run goes.
struct ProfileReport {
  /// In which order it lists what took time.
  enum Order: String, ExpressibleByArgument, CaseIterable {
    /// Nodes as they run.
    case order
    /// Nodes, the slowest first.
    case time
    /// Operations summed up, the slowest first.
    case kind
  }

  /// A node, or all nodes of one kind.
  struct Row {
    var name: String
    var kernel: String
    var milliseconds: Double
    var multiplyAccumulates: Int
    var count = 1

    /// 10⁹ additions and multiplications a second; nil for what does neither.
    var rate: Double? {
      multiplyAccumulates > 0 && milliseconds > 0 ? 2e-6 * Double(multiplyAccumulates) / milliseconds : nil
    }
  }

  let rows: [Row]
  var totalMilliseconds: Double { rows.reduce(0) { $0 + $1.milliseconds } }

  init(_ profiler: Profiler, of model: CompiledModel, order: Order = .order) {
    let nodes = InferenceProfile.Node.nodes(profiler, of: model)
    let rows = nodes.map { node in
      Row(
        name: node.name, kernel: node.kernel, milliseconds: node.milliseconds,
        multiplyAccumulates: node.multiplyAccumulates)
    }
    switch order {
    case .order: self.rows = rows
    case .time: self.rows = rows.sorted { $0.milliseconds > $1.milliseconds }
    case .kind: self.rows = Self.summedUp(zip(nodes.map(\.operation), rows))
    }
  }

  /// Nodes of one operation and kernel as one row.
  private static func summedUp(_ nodes: Zip2Sequence<[String], [Row]>) -> [Row] {
    var kinds: [ExactText: Row] = [:]
    for (operation, node) in nodes {
      let key = ExactText(operation + node.kernel)
      guard var row = kinds[key] else {
        kinds[key] = Row(
          name: operation, kernel: node.kernel, milliseconds: node.milliseconds,
          multiplyAccumulates: node.multiplyAccumulates)
        continue
      }
      row.milliseconds += node.milliseconds
      row.multiplyAccumulates = row.multiplyAccumulates.addingClamped(node.multiplyAccumulates)
      row.count += 1
      kinds[key] = row
    }
    return kinds.values.sorted { ($1.milliseconds, $0.name) < ($0.milliseconds, $1.name) }
  }

  var json: JSON {
    .array(
      rows.map { row in
        .object([
          ("node", .string(row.name)), ("kernel", .string(row.kernel)), ("count", .integer(row.count)),
          ("milliseconds", .number(row.milliseconds)), ("gops", row.rate.map(JSON.number) ?? .null),
        ])
      })
  }

  func print() {
    let total = max(totalMilliseconds, .leastNonzeroMagnitude)
    var table = Table([
      ("ms", .right), ("share", .right), ("Gop/s", .right), ("node", .left), ("kernel", .left),
    ])
    for row in rows {
      table.append([
        Format.decimal(row.milliseconds, 3), Format.decimal(100 * row.milliseconds / total, 1) + " %",
        row.rate.map { Format.decimal($0, 0) } ?? "", row.count > 1 ? "\(row.name) (\(row.count))" : row.name,
        row.kernel,
      ])
    }
    table.append([Format.decimal(totalMilliseconds, 3), "100.0 %", "", "all nodes", ""])
    table.print()
  }
}

extension Int {
  /// The sum, or the largest number where it is more.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
