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

  @OptionGroup package var alpha: TransparencyArguments

  package init() {}

  package func validate() throws {
    if pixelLimit < 1 { throw ValidationError("--pixel-limit \(pixelLimit): at least 1.") }
  }

  package var limits: ImageLimits { ImageLimits(pixels: pixelLimit) }
  package var options: ImageOptions { ImageOptions(transparency: alpha.transparency, acceptsDamage: !strict) }
}
