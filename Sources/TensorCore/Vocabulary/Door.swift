import Synchronization

/// What somebody uses Apus through, in whose words messages name settings and what can be done.
///
/// A process is one of them from its start. A Swift program need not say so.
public enum Door: UInt8, Sendable, CaseIterable {
  /// A Swift program: options by their names.
  case library
  /// The commands of `apus`: flags.
  case command
  /// A server: its flags, and the keys of its file of models.
  case server
  /// An interface for another language: keys of settings, and tasks.
  case binding

  private static let chosen = Atomic<UInt8>(Door.library.rawValue)

  /// The one that this process is.
  public static var current: Door { Door(rawValue: chosen.load(ordering: .relaxed)) ?? .library }

  /// Makes this process one, to be called before anything can fail.
  public static func enter(_ door: Door) { chosen.store(door.rawValue, ordering: .relaxed) }
}
