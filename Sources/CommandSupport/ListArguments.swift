import ArgumentParser

/// The `--null` option of commands that read a list from standard input.
package struct ListArguments: ParsableArguments {
  @Flag(
    name: [.customShort("0"), .long],
    help:
      "Zeros end the items of a list on standard input, as find -print0 writes them, in place of line breaks."
  )
  package var null = false

  package init() {}

  /// Standard input.
  package var lines: InputLines { InputLines(areDividedByZeros: null) }
}
