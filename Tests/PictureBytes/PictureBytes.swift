import Glibc
import Images
import TensorCore

/// Decodes the files that standard input names, one a line, for `Tools/checks/picture-parity`. For each it writes a line
/// to standard output: the sides, and then the bytes of RGB, or `refused` and why. With `--white`, transparency is
/// blended over white.
@main
enum PictureBytes {
  static func main() {
    let isOverWhite = CommandLine.arguments.contains("--white")
    let options = isOverWhite ? ImageOptions(transparency: .over(.white)) : .standard
    while let path = readLine() {
      do throws(ApusError) {
        let decoded = try ImageDecoder.decode(contentsOf: path, options: options)
        write(Array("\(decoded.image.width) \(decoded.image.height)\n".utf8))
        write(decoded.image.pixels)
      } catch {
        write(Array("refused \(error.problem.split(separator: "\n").joined(separator: " "))\n".utf8))
      }
    }
  }

  private static func write(_ bytes: [UInt8]) {
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
