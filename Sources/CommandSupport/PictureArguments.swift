import Apus
import ArgumentParser
import Images

/// The options of commands that decode pictures.
package struct PictureArguments: ParsableArguments {
  @Flag(
    help: """
      Refuse pictures with damaged data, which are otherwise decoded as far as that goes, and said to be damaged. \
      Files that end early are always refused.
      """)
  package var strict = false

  @Option(help: "The largest picture decoded, in pixels.")
  package var pixelLimit = ImageLimits.standard.pixels

  @Option(
    help: ArgumentHelp(
      "What transparent pixels become.",
      discussion: """
        They keep the colour that they are stored with (ignored), or are blended over white, black or a colour such as \
        80a0ff. Image processors of transformers blend over white.
        """,
      valueName: "colour"))
  package var transparency = ImageOptions.Transparency.ignored

  package init() {}

  package func validate() throws {
    if pixelLimit < 1 { throw ValidationError("--pixel-limit \(pixelLimit): at least 1.") }
  }

  package var limits: ImageLimits { ImageLimits(pixels: pixelLimit) }
  package var options: ImageOptions { ImageOptions(transparency: transparency, acceptsDamage: !strict) }
}
