import ArgumentParser

/// The `--no-seal` option, which ``Program`` takes out of the arguments of every command before they are parsed: it is
/// here for the help.
package struct SealArguments: ParsableArguments {
  @Flag(
    name: .customLong("no-seal"),
    help: """
      For every command: leave sockets available. Without it the kernel refuses them; 'apus doctor --privacy' tests \
      that.
      """)
  package var leavesUnsealed = false

  package init() {}
}
