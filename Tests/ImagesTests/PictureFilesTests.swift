import Images
import Testing

/// Which files are taken for pictures, by their names.
@Suite struct PictureFilesTests {
  @Test(arguments: [
    "a.jpg", "A.JPG", "a.b.Jpeg", "folder.x/é.heic", "/a/b.tiff", ".a.png", "a..webp", "._/a.jpg",
  ])
  func namesOfPictures(_ path: String) { #expect(PictureFiles.isPicture(path)) }

  @Test(
    arguments: [
      "", "jpg", ".jpg", "a/.jpg", "a.", "a.txt", "a.jpg.bak", "a.jpgx", "a.xjpg", "a.jpg/b", "._a.jpg",
      "b/._a.png",
      "a. jpg", "a.jp\u{301}g", "a.\u{0}jpg",
    ])
  func namesOfOthers(_ path: String) { #expect(!PictureFiles.isPicture(path)) }
}
