import Apus
import Graph

/// A model and the inputs that `run` gives it.
struct RunSession {
  let model: Model
  let inputs: [Tensor]

  /// Runs the model `count` times.
  /// - Returns: the outputs of the last run, and the milliseconds of each, with copying the inputs in.
  func run(
    count: Int, profiler: Profiler? = nil
  ) throws(ApusError) -> (outputs: [Tensor], milliseconds: [Double]) {
    try model.withWorkspace { (workspace) throws(ApusError) in
      var milliseconds: [Double] = []
      milliseconds.reserveCapacity(min(count, 1 << 20))
      for _ in 0..<count {
        var watch = Stopwatch()
        try naming(model.path) { () throws(ApusError) in
          try workspace.setInputs(inputs)
          try workspace.run(profiler: profiler)
        }
        milliseconds.append(watch.lap())
      }
      return (try workspace.outputs(), milliseconds)
    }
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
