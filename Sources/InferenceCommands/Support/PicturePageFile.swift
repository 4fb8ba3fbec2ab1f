import CommandSupport
import Apus
import TensorCore

/// The page that a command writes of its pictures, where one is asked for.
struct PicturePageFile {
  private let path: String?
  private let decoding: PictureArguments
  private var pictures: [ShownPicture] = []

  init(_ path: String?, _ decoding: PictureArguments) {
    self.path = path
    self.decoding = decoding
  }

  mutating func add(_ picture: String, _ answer: @autoclosure () -> Result<ShownPicture.Answer, ApusError>) {
    guard path != nil else { return }
    pictures.append(
      ShownPicture(picture, answer(), limits: decoding.limits, options: decoding.options))
  }

  /// Writes the page, where one is asked for, and ends the command where its list broke off: see
  /// ``BrokenList/end(_:writing:)``. A list of which nothing came has no page.
  func write(_ circumstances: PicturePage.Circumstances, listFailure: ApusError?) throws(ApusError) {
    try BrokenList.end(listFailure) { () throws(ApusError) -> String? in
      guard let path, listFailure == nil || !pictures.isEmpty else { return nil }
      try OutputFile.write(Array(PicturePage(pictures, circumstances).html().utf8), to: path)
      return "\(path): \(BrokenList.inputs(pictures.count))"
    }
  }
}
