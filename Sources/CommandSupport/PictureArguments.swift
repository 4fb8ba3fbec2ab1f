import Apus
import ArgumentParser
import Images

/// The options of commands that decode pictures.
package struct PictureArguments: ParsableArguments {
  @Flag(
    help: """
      Refuse pictures with damaged data. Without it they are decoded as far as possible, with a warning. Truncated \
      files are always refused.
      """)
  package var strict = false

  @Option(help: "Largest picture to decode, in pixels.")
  package var pixelLimit = ImageLimits.standard.pixels

  @OptionGroup package var alpha: TransparencyArguments

  package init() {}

  package func validate() throws {
    if pixelLimit < 1 { throw ValidationError("--pixel-limit \(pixelLimit): at least 1.") }
  }

  package var limits: ImageLimits { ImageLimits(pixels: pixelLimit) }
  package var options: ImageOptions { ImageOptions(transparency: alpha.transparency, acceptsDamage: !strict) }
}
