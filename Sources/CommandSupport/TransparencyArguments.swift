import ArgumentParser
import Images

extension ImageOptions.Transparency: ExpressibleByArgument {}

/// The `--transparency` option of commands that decode pictures.
package struct TransparencyArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How transparent pixels are shown to the model.", discussion: TransparencyArguments.values,
      valueName: "colour"))
  package var transparency = ImageOptions.Transparency.ignored

  /// The values and their meaning.
  package static let values = """
    ignored keeps their stored colour; white, black or a colour such as 80a0ff blends them over it. Image processors of \
    transformers blend over white. In a GIF or PNG with one transparent colour instead of alpha, the processors of CLIP, \
    SigLIP and DINOv2 always make that colour white; with ignored, Apus does so too, except in compare, calibrate and \
    photos.
    """

  package init() {}
}
