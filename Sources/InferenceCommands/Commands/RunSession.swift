import CommandSupport
import Apus
import Graph
import Networks

/// A network and its inputs, as `run` and `bench` measure them.
struct RunSession {
  private let prepared: PreparedRuns
  let computation: Computation

  /// - Parameter part: the name of the network that is run.
  init(_ prepared: PreparedRuns, part: String) {
    self.prepared = prepared
    computation = Computation(prepared.model.compiled, part: part)
  }

  /// The model of the first batch.
  var model: Model { prepared.model }

  /// The names by which callers know the outputs, in order.
  var outputNames: [String] { prepared.outputNames.map(\.name) }

  /// Runs the model `count` times.
  /// - Parameter profiler: told of the nodes of ``model``.
  /// - Returns: the outputs of the last run, and the milliseconds of each, with copying the inputs in.
  func run(
    count: Int, profiler: Profiler? = nil
  ) throws(ApusError) -> (outputs: [Tensor], milliseconds: [Double]) {
    var milliseconds: [Double] = []
    milliseconds.reserveCapacity(min(count, 1 << 20))
    for _ in 0..<count {
      var watch = Stopwatch()
      for (index, run) in prepared.runs.enumerated() {
        try run.model.withWorkspace { (workspace) throws(ApusError) in
          try naming(run.model.path) { () throws(ApusError) in
            try workspace.setInputs(run.inputs)
            try workspace.run(profiler: index == 0 ? profiler : nil)
          }
        }
      }
      milliseconds.append(watch.lap())
    }
    return (try outputs(), milliseconds)
  }

  /// The outputs of the last run in the models' memory: all, or the rows of all batches in the order of the texts.
  private func outputs() throws(ApusError) -> [Tensor] {
    guard let batches = prepared.batches else { return try left(by: prepared.runs[0]) }
    let rows = try batches.map { (run) throws(ApusError) in
      // Batches of one shape share a model and its memory, so each of several runs once more.
      try (batches.count == 1 ? left(by: run) : run.model.run(run.inputs))[0].rows()
    }.inOrder()
    return [try Tensor(rows.flatMap(\.self), shape: Shape([rows.count, rows.first?.count ?? 0]))]
  }

  private func left(by run: PreparedRun) throws(ApusError) -> [Tensor] {
    try run.model.withWorkspace { (workspace) throws(ApusError) in try workspace.outputs() }
  }

  /// Answers each line of standard input, a number of runs, with a line of their times.
  func serve() throws(ApusError) {
    let lines = InputLines()
    while let line = try lines.nextText() {
      guard let count = Int(line), 1...1_000_000 ~= count else {
        throw ApusError(.argument, "'\(line)' on standard input", expected: "a number of runs, 1 to 1000000")
      }
      let milliseconds = try run(count: count).milliseconds
      StandardStreams.print(JSON.array(milliseconds.map(JSON.number)))
    }
  }
}
