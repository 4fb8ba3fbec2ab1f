import Apus
import Graph

/// The table of `run --profile`.
enum ProfileReport {
  static func print(_ profiler: Profiler, of model: CompiledModel) {
    let runs = Double(max(profiler.runs, 1))
    let total = Double(profiler.nanoseconds.reduce(0, +))
    var table = Table([("ms", .right), ("share", .right), ("node", .left), ("kernel", .left)])
    for (index, node) in model.graph.nodes.enumerated() where model.lowerings[index].aliasedInput == nil {
      let nanoseconds = Double(profiler.nanoseconds[index])
      table.append([
        Format.decimal(nanoseconds / runs / 1e6, 3),
        Format.decimal(100 * nanoseconds / max(total, 1), 1) + " %",
        node.label, model.lowerings[index].kernel,
      ])
    }
    table.append([Format.decimal(total / runs / 1e6, 3), "100.0 %", "all nodes", ""])
    table.print()
  }
}
