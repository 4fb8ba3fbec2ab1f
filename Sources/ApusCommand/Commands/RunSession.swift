import Apus
import Graph

/// A model and the inputs that `run` gives it; of a text model with many texts, one batch after the other.
struct RunSession {
  private let parts: [TowerModel.Part]

  /// - Parameter parts: at least one.
  init(_ parts: [TowerModel.Part]) { self.parts = parts }

  init(model: Model, inputs: [Tensor]) {
    parts = [TowerModel.Part(model: model, inputs: inputs, rows: [])]
  }

  /// The model, or that of the first batch.
  var model: Model { parts[0].model }

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
      for (index, part) in parts.enumerated() {
        try part.model.withWorkspace { (workspace) throws(ApusError) in
          try naming(part.model.path) { () throws(ApusError) in
            try workspace.setInputs(part.inputs)
            try workspace.run(profiler: index == 0 ? profiler : nil)
          }
        }
      }
      milliseconds.append(watch.lap())
    }
    return (try outputs(), milliseconds)
  }

  /// What the last run left in the models' memory: all outputs, or the rows of all batches in their order.
  private func outputs() throws(ApusError) -> [Tensor] {
    if parts.count == 1 {
      return try model.withWorkspace { (workspace) throws(ApusError) in try workspace.outputs() }
    }
    var rows = [[Float]](repeating: [], count: parts.reduce(0) { $0 + $1.rows.count })
    for part in parts {
      // Batches of one shape share a model and its memory, so each runs once more.
      let output = try part.model.run(part.inputs)[0]
      for (index, row) in zip(part.rows, try output.rows()) { rows[index] = row }
    }
    let shape = try Shape([rows.count, rows.first?.count ?? 0])
    return [try Tensor(rows.flatMap(\.self), shape: shape)]
  }

  /// Answers each line of standard input, a number of runs, with a line of their times.
  func serve() throws(ApusError) {
    while let line = readLine() {
      guard let count = Int(line), 1...1_000_000 ~= count else {
        throw ApusError(.argument, "'\(line)' on standard input", expected: "a number of runs, 1 to 1000000")
      }
      let milliseconds = try run(count: count).milliseconds
      StandardStreams.printLine(JSON.array(milliseconds.map(JSON.number)).text)
    }
  }
}
