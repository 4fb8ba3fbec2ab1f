import Foundation

/// Real models and pictures that are not part of the project, where a machine has them.
package enum SharedData {
  /// The folder: `$APUS_SHARED`, else `../shared/data` beside the checkout; nil when there is none.
  package static let root: String? = {
    let beside = Checkout.root.deletingLastPathComponent().appendingPathComponent("shared/data").path
    let candidates = [ProcessInfo.processInfo.environment["APUS_SHARED"], beside].compactMap(\.self)
    return candidates.first { FileManager.default.fileExists(atPath: $0) }
  }()

  /// Whether the folder is there; tests that need it are enabled by this condition, so that a run without
  /// it reports them as skipped.
  package static var isPresent: Bool { root != nil }

  /// The path of a file in the folder.
  package static func path(_ relative: String) -> String { (root ?? "") + "/" + relative }
}
