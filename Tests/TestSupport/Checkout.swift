import Foundation

/// The folder that the tests were built in: what they read of the project itself.
package enum Checkout {
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file or folder of the project, such as `Weights/scenes`.
  package static func file(_ path: String) -> URL { root.appendingPathComponent(path) }

  /// What a generator in `Tools/fixtures` wrote into `Tests/Fixtures`, such as `images/pictures.json`.
  package static func fixture(_ path: String) -> URL { file("Tests/Fixtures/\(path)") }

  /// A small model folder that `Tools/fixtures/transformers/make.py` made, with what PyTorch says of it.
  package static func modelFolder(_ name: String) -> String { fixture("transformers/\(name)").path }
}
