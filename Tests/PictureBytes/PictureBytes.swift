import CLibrary
import FoundationEssentials
import Images
import TensorCore

/// Reads the files that standard input names, one a line, for `Tools/checks`. For each it writes a line to standard output:
/// the sides, and then the bytes of RGB; or `refused` and why.
///
/// With `--white`, transparency is blended over white; with `--short-side N`, the shorter side need not have more pixels.
/// In place of pixels, `--metadata` writes what the file says of itself, as JSON on a line; `--hash` the perceptual hash;
/// `--time` the milliseconds of decoding, the best of five.
@main
enum PictureBytes {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    var options = ImageOptions(transparency: arguments.contains("--white") ? .over(.white) : .ignored)
    if let place = arguments.firstIndex(of: "--short-side"), place + 1 < arguments.count {
      options.minimumShortSide = Int(arguments[place + 1])
    }
    let result = result(arguments)
    while let path = readLine() {
      do {
        try result(path, options)
      } catch {
        let problem = (error as? ApusError)?.problem ?? "\(error)"
        line("refused \(problem.split(separator: "\n").joined(separator: " "))")
      }
    }
  }

  /// What is written of a file.
  private static func result(_ arguments: [String]) -> (String, ImageOptions) throws -> Void {
    if arguments.contains("--metadata") {
      return { path, _ in
        line(String(decoding: try JSONEncoder().encode(PictureMetadata(contentsOf: path)), as: UTF8.self))
      }
    }
    if arguments.contains("--hash") {
      return { path, options in
        let hash = PerceptualHash(of: try ImageDecoder.decode(contentsOf: path, options: options).image)
        let digits = String(hash.bits, radix: 16)
        line(String(repeating: "0", count: 16 - digits.count) + digits)
      }
    }
    if arguments.contains("--time") {
      return { path, options in
        let bytes = try FileBytes.read(path)
        let times = try (0..<5).map { _ in
          try ContinuousClock().measure { _ = try ImageDecoder.decode(bytes, options: options) }
        }
        line("\((times.min() ?? .zero) / .milliseconds(1))")
      }
    }
    return { path, options in
      let image = try ImageDecoder.decode(contentsOf: path, options: options).image
      line("\(image.width) \(image.height)")
      write(image.pixels)
    }
  }

  private static func line(_ text: String) { write(Array("\(text)\n".utf8)) }

  private static func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let count = CLibrary.write(STDOUT_FILENO, start, rest.count)
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }
}
