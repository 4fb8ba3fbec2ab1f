import FoundationEssentials
import Glibc
import Images
import TensorCore

/// Decodes the files that standard input names, one a line, for `Tools/checks/picture-parity`. For each it writes a line
/// to standard output: the sides, and then the bytes of RGB, or `refused` and why. With `--white`, transparency is
/// blended over white. With `--metadata`, it writes what the file says of itself, as JSON on a line.
@main
enum PictureBytes {
  static func main() {
    let isOverWhite = CommandLine.arguments.contains("--white")
    let options = isOverWhite ? ImageOptions(transparency: .over(.white)) : .standard
    let isOfMetadata = CommandLine.arguments.contains("--metadata")
    while let path = readLine() {
      do {
        if isOfMetadata {
          write(try JSONEncoder().encode(PictureMetadata(contentsOf: path)) + [UInt8(ascii: "\n")])
          continue
        }
        let decoded = try ImageDecoder.decode(contentsOf: path, options: options)
        write(Array("\(decoded.image.width) \(decoded.image.height)\n".utf8))
        write(decoded.image.pixels)
      } catch {
        let problem = (error as? ApusError)?.problem ?? "\(error)"
        write(Array("refused \(problem.split(separator: "\n").joined(separator: " "))\n".utf8))
      }
    }
  }

  private static func write(_ bytes: some ContiguousBytes) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let count = Glibc.write(STDOUT_FILENO, start, rest.count)
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }
}
