import ArgumentParser
import Images

extension ImageOptions.Transparency: ExpressibleByArgument {}

/// What commands that decode pictures make of transparent pixels.
package struct TransparencyArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What transparent pixels become.", discussion: TransparencyArguments.values, valueName: "colour"))
  package var transparency = ImageOptions.Transparency.ignored

  /// What can be said, and what it means.
  package static let values = """
    They keep the colour that they are stored with (ignored), or are blended over white, black or a colour such as \
    80a0ff. Image processors of transformers blend over white. Where a GIF or PNG has one transparent colour in the \
    place of alpha, those of CLIP, SigLIP and DINOv2 make it white in any case, and so does Apus where transparency is \
    ignored, but in compare, calibrate and photos.
    """

  package init() {}
}
