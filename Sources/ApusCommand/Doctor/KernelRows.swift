import CommandSupport
import Kernels

/// Every row of every family of kernels, the slowest first.
struct KernelRows {
  private let choice: KernelChoice
  private let instructions = ProcessorFeatures.host.instructions

  init() throws { choice = try KernelSet.selected().choice }

  private var rows: [(family: NumericFamily, set: InstructionSet)] {
    NumericFamily.allCases.flatMap { family in family.sets.map { (family, $0) } }
  }

  private func missing(_ set: InstructionSet) -> [String] { set.missing(in: instructions).map(\.rawValue) }

  var table: Table {
    var table = Table([("family", .left), ("instruction set", .left), ("", .left)])
    for (family, set) in rows {
      let missing = missing(set)
      let state =
        choice[family] == set
        ? "<-- in use"
        : missing.isEmpty ? "possible" : "the processor lacks \(missing.joined(separator: ", "))"
      table.append([family.rawValue, set.rawValue, state])
    }
    return table
  }

  var json: JSON {
    .array(
      rows.map { family, set in
        .object([
          ("family", .string(family.rawValue)), ("set", .string(set.rawValue)),
          ("in_use", .bool(choice[family] == set)), ("missing", .strings(missing(set))),
        ])
      })
  }
}
