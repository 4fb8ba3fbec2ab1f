import Foundation

/// The small model folders that `Tools/fixtures/transformers/make.py` made.
enum ModelFolders {
  static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Tools/fixtures/transformers/\(name)").path
  }
}
