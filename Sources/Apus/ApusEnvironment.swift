import Kernels
import TensorCore

/// The variables of the environment that Apus reads; `apus list environment` lists them.
public enum ApusEnvironment {
  /// Refuses what cannot be meant. Whatever opens a model does so too; a program may ask before it begins.
  /// - Throws: ``ApusError`` of kind `argument` that names a variable of this process whose number or instruction set is
  ///   none.
  public static func check() throws(ApusError) {
    try EnvironmentVariable.check()
    _ = try KernelSet.selected()
  }
}
