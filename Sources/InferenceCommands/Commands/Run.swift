import Apus
import ArgumentParser
import CLibrary
import CommandSupport
import Graph
import Networks

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs a model on tensors in .npy files and writes all outputs.",
    discussion: """
      Example: apus run model.tflite --input 0=image.npy --output-dir out

      Inputs of a model folder use the names and layouts of transformers: pixel_values [N, 3, H, W], or \
      input_ids [N, tokens], attention_mask and, for models with token types, token_type_ids.

      Outputs are written as out/0.npy, out/1.npy and so on, with their names, types and shapes in \
      out/outputs.json.
      """)

  @Argument(help: "A .tflite or .onnx file, a model folder, or its name in the local Hugging Face cache.")
  var model: String

  @Option(
    name: .customLong("input"),
    help: ArgumentHelp(
      "An input, by name or position: 0=image.npy.", valueName: "name=file.npy"))
  var inputs: [String] = []

  @Option(help: "Folder for the outputs; created if missing.")
  var outputDir: String?

  @Option(help: "For a .tflite file: a signature key, or the name or position of a subgraph.")
  var signature: String?

  @Option(help: "Which tower of a two-tower model: image or text.")
  var part: ModelPart?

  @OptionGroup var inference: InferenceArguments

  @Flag(help: "Print the time of each node.")
  var profile = false

  @Option(help: "Run this many times, and print the shortest and the median time.")
  var `repeat` = 1

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(
    help: ArgumentHelp(
      "For each count read as a line from standard input, run as often and answer with a JSON list of "
        + "milliseconds.", visibility: .hidden))
  var benchmark = false

  func validate() throws {
    if `repeat` < 1 { throw ValidationError("--repeat \(`repeat`): at least 1.") }
    if signature != nil, part != nil { throw ValidationError("--signature and --part: choose one.") }
  }

  func run() throws {
    try OutputFolder.check(outputDir)
    let session = try session()
    if benchmark {
      try session.serve()
    } else {
      try report(session)
    }
  }

  /// The model made ready. The file's bytes are gone when it returns.
  private func session() throws(ApusError) -> RunSession {
    let opened = try OpenedModel(model, variant: inference.variant)
    let name = signature ?? part?.rawValue
    let session = try InferenceSession(opened, .init(network: name, inference: inference.options()))
    let files = try RunInputs(inputs, for: session.inputs(of: name))
    let prepared = try session.prepared(name) { (_) throws(ApusError) in files.tensors }
    return RunSession(prepared, part: try opened.network(named: name).name)
  }

  private func report(_ session: RunSession) throws(ApusError) {
    let profiler = profile ? Profiler(nodeCount: session.model.compiled.graph.nodes.count) : nil
    let (outputs, milliseconds) = try session.run(count: `repeat`, profiler: profiler)
    let names = session.outputNames
    if let outputDir { try OutputFolder.write(outputs, names: names, to: outputDir) }
    let table = profiler.map { ProfileReport($0, of: session.model.compiled) }
    let descriptions = OutputFolder.descriptions(outputs, names: names, areWritten: outputDir != nil)
    if json {
      StandardStreams.print(
        JSON.object(
          JSON.file(model, as: "model") + [
            ("outputs", .array(descriptions)),
            ("milliseconds", .array(milliseconds.map(JSON.number))),
          ] + (table.map { [("profile", $0.json)] } ?? []) + [session.computation.member, JSON.madeBy]
        ), withFormerKeys: true)
    } else {
      for (index, output) in outputs.enumerated() {
        StandardStreams.printText("output \(index) '\(names[index])': \(output.type)")
      }
      if `repeat` > 1 { printTimes(milliseconds) }
      table?.print()
    }
  }

  private func printTimes(_ milliseconds: [Double]) {
    let sorted = milliseconds.sorted()
    let median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    StandardStreams.printLine(
      "\(sorted.count) runs: shortest \(Format.decimal(sorted[0], 3)) ms, median \(Format.decimal(median, 3)) ms"
    )
  }
}

extension ModelPart: ExpressibleByArgument {}
