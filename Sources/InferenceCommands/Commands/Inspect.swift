import Apus
import ArgumentParser
import CLibrary
import CommandSupport
import Networks

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows a model's inputs, outputs and operators, and how they would run on this machine.",
    discussion: """
      Example: apus inspect mobilenet.tflite

      Takes a .tflite or .onnx file, a .safetensors file or PyTorch checkpoint (.bin, .pt, .pth) or the index of its shards,
      or a model folder.
      """)

  @Argument(
    help: "A .tflite, .onnx, .safetensors or .bin file, a folder, or its name in the Hugging Face cache.")
  var model: String

  @Option(help: "For a .tflite file: a signature key, or the name or position of a subgraph.")
  var signature: String?

  @Option(help: "Which tower of a two-tower model: image or text; both by default.")
  var part: ModelPart?

  @OptionGroup var inference: InferenceArguments

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if signature != nil, part != nil { throw ValidationError("--signature and --part: choose one.") }
    if SafetensorsSummary.names(model), signature != nil || part != nil || inference.precision != nil {
      throw ValidationError("--signature, --part and --precision are for models, not for files of tensors.")
    }
  }

  func run() throws {
    if SafetensorsSummary.names(model) {
      let summary = try SafetensorsSummary(model)
      json ? StandardStreams.print(summary.json) : summary.print()
    } else {
      let opened = try OpenedModel(model, variant: inference.variant)
      let summaries = try networks(of: opened).map {
        try ModelSummary($0, of: opened, opened.options(inference.options(), for: $0))
      }
      json
        ? StandardStreams.print(ModelSummary.json(summaries), withFormerKeys: true)
        : ModelSummary.print(summaries)
    }
  }

  /// The network that is named; without a name both towers of a model that has two.
  private func networks(of opened: OpenedModel) throws(ApusError) -> [Network] {
    if case .dualEncoder = opened.outputs, signature == nil, part == nil { return opened.networks }
    return [try opened.network(named: signature ?? part?.rawValue)]
  }
}
