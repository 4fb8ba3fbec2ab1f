import CommandSupport
import Apus
import ArgumentParser

/// The options of commands that embed texts and pictures.
struct EmbeddingArguments: ParsableArguments {
  @Option(help: "A model folder, its name in the local Hugging Face cache, or a .tflite file.")
  var model: String

  @Option(
    help: ArgumentHelp(
      "Preprocessing profile for pictures. Default: from the model's files.",
      discussion: "One of \(PreprocessingProfile.all.map(\.name).joined(separator: ", ")).",
      valueName: "profile"))
  var preprocess: String?

  @Flag(
    help:
      "Mask padding in SigLIP's text tower, as if given an attention mask. Default: padding is attended."
  )
  var maskPadding = false

  @OptionGroup var list: ListArguments

  @OptionGroup var decoding: PictureArguments

  @OptionGroup var inference: InferenceArguments
}
