import Kernels
import TensorCore

/// The variables of the environment that Apus reads; `apus list environment` lists them.
public enum ApusEnvironment {
  /// Refuses what cannot be meant. Whatever opens a model does so too; a program may ask before it begins.
  /// - Throws: ``ApusError`` of kind `argument` that names a variable of this process which says what it cannot mean: no
  ///   number, no instruction set, neither `on` nor `off`.
  public static func check() throws(ApusError) {
    try EnvironmentVariable.check()
    _ = try KernelSet.selected()
  }
}
