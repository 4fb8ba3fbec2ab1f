/// The folder that the tests were built in: what they read of the project itself.
enum Checkout {
  private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
    .joined(separator: "/")

  /// A file or folder of the project, such as `Weights/scenes`.
  static func file(_ path: String) -> String { "\(root)/\(path)" }

  /// A small model folder that `Tools/fixtures/transformers/make.py` made.
  static func modelFolder(_ name: String) -> String { file("Tests/Fixtures/transformers/\(name)") }
}
