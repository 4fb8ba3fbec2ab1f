import CommandSupport
import Graph

/// The course of a run in the format of Chrome's trace viewer. Source: "Trace Event Format", complete events.
enum ChromeTrace {
  static func text(_ profiler: Profiler, of model: CompiledModel) -> String {
    let begin = profiler.latest.compactMap { $0?.start }.min() ?? 0
    let events = model.graph.nodes.indices.compactMap { index -> JSON? in
      guard let event = profiler.latest[index] else { return nil }
      let node = model.graph.nodes[index]
      return .object([
        ("name", .string(node.label)), ("cat", .string(node.operation.name)), ("ph", .string("X")),
        ("ts", .number(Double(event.start - begin) / 1000)), ("dur", .number(Double(event.duration) / 1000)),
        ("pid", .integer(1)), ("tid", .integer(1)),
        (
          "args",
          .object([
            ("kernel", .string(model.lowerings[index].kernel)),
            ("result", .string(node.outputs.first.map { "\(model.graph[$0].type)" } ?? "")),
            ("multiply_accumulates", .integer(model.multiplyAccumulates[index])),
          ])
        ),
      ])
    }
    return JSON.object([("traceEvents", .array(events)), ("displayTimeUnit", .string("ms"))]).text + "\n"
  }
}
