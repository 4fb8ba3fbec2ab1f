import ArgumentParser

/// The `--no-seal` option, which ``Program`` takes out of the arguments of every command before they are parsed: it is
/// here for the help.
package struct SealArguments: ParsableArguments {
  @Flag(
    name: .customLong("no-seal"),
    help: """
      Of every command: leave the process able to open sockets. Else the kernel refuses them; 'apus doctor --privacy' \
      tries.
      """)
  package var leavesUnsealed = false

  package init() {}
}
