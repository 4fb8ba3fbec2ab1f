import Apus
import ArgumentParser

/// The options of commands that decode pictures.
struct PictureArguments: ParsableArguments {
  @Flag(
    help: "Refuse damaged pictures, which are otherwise decoded as far as that goes, and said to be damaged.")
  var strict = false

  @Option(help: "The largest picture decoded, in pixels.")
  var pixelLimit = ImageLimits.standard.pixels

  func validate() throws {
    if pixelLimit < 1 { throw ValidationError("--pixel-limit \(pixelLimit): at least 1.") }
  }

  var limits: ImageLimits { ImageLimits(pixels: pixelLimit) }
  var options: ImageOptions { ImageOptions(acceptsDamage: !strict) }
}
