import Apus
import CommandSupport
import Graph
import Kernels

/// The course of a run in the format of Chrome's trace viewer: the nodes on one track, and on a track for each thread
/// what it did of them. Source: "Trace Event Format", complete and metadata events.
struct ChromeTrace {
  let run: TracedRun
  let model: CompiledModel
  /// The model's name.
  let name: String
  let computation: Computation

  var text: String {
    let events = metadata + model.graph.nodes.indices.flatMap(events)
    return JSON.object([
      ("traceEvents", .array(events)), ("displayTimeUnit", .string("ms")),
      (
        "otherData",
        .object(
          JSON.file(name, as: "model") + [
            ("processor", .string(ProcessorFeatures.host.model)),
            ("threads", .integer(model.options.threads)), computation.member, JSON.madeBy,
          ])
      ),
    ]).text() + "\n"
  }

  private static let nodeTrack = 1

  /// Tracks of threads follow that of the nodes: first who runs the model, then the workers of the pool.
  private func track(ofThread thread: Int) -> Int { Self.nodeTrack + 1 + thread }

  private var metadata: [JSON] {
    let threads = Set(run.parts.map(\.thread)).union([0]).sorted()
    let tracks =
      [(Self.nodeTrack, "nodes")]
      + threads.map { (track(ofThread: $0), $0 == 0 ? "thread 1, which runs the model" : "thread \($0 + 1)") }
    return [metadata("process_name", Self.nodeTrack, ("name", .string("apus \(name)")))]
      + tracks.flatMap { track, name in
        [
          metadata("thread_name", track, ("name", .string(name))),
          metadata("thread_sort_index", track, ("sort_index", .integer(track))),
        ]
      }
  }

  private func metadata(_ kind: String, _ track: Int, _ argument: JSON.Member) -> JSON {
    .object([
      ("name", .string(kind)), ("ph", .string("M")), ("pid", .integer(1)), ("tid", .integer(track)),
      ("args", .object([argument])),
    ])
  }

  /// A node, and what each thread did of it.
  private func events(ofNode index: Int) -> [JSON] {
    guard let time = run.profiler.latest[index] else { return [] }
    let node = model.graph.nodes[index]
    let kind = node.operation.name
    let parts = run.parts(ofNode: index).map { part in
      let isWork = part.activity == .work
      return event(
        isWork ? node.label : "waits", isWork ? kind : "wait", track(ofThread: part.thread),
        part.start, part.end, [("node", .integer(index)), ("kernel", .string(model.lowerings[index].kernel))])
    }
    // Constants that were packed are operands no more.
    let operands = node.inputs.compactMap { $0.map { JSON.string("\(model.graph[$0].type)") } }
    let whole = event(
      node.label, kind, Self.nodeTrack, time.start, time.start + time.duration,
      [
        ("node", .integer(index)), ("kernel", .string(model.lowerings[index].kernel)),
        ("operands", .array(operands)),
        ("result", .string(node.outputs.first.map { "\(model.graph[$0].type)" } ?? "")),
        ("multiply_accumulates", .integer(model.multiplyAccumulates[index])),
      ])
    return [whole] + parts
  }

  /// - Parameters:
  ///   - start: nanoseconds, as `end`; events have microseconds since the run began.
  private func event(
    _ name: String, _ category: String, _ track: Int, _ start: UInt64, _ end: UInt64,
    _ arguments: [JSON.Member]
  ) -> JSON {
    .object([
      ("name", .string(name)), ("cat", .string(category)), ("ph", .string("X")),
      ("ts", .number(Double(start - run.begin) / 1000)), ("dur", .number(Double(end - start) / 1000)),
      ("pid", .integer(1)), ("tid", .integer(track)), ("args", .object(arguments)),
    ])
  }
}
