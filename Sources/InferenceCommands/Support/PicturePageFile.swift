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

  func write(_ circumstances: PicturePage.Circumstances) throws(ApusError) {
    guard let path else { return }
    try OutputFile.write(Array(PicturePage(pictures, circumstances).html().utf8), to: path)
  }
}
