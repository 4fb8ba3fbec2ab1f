/// The table of functions of a family, as its sources write it.
func kernelTable<Table>(_ write: (UnsafeMutablePointer<Table>) -> Void) -> Table {
  let memory = UnsafeMutablePointer<Table>.allocate(capacity: 1)
  defer { memory.deallocate() }
  write(memory)
  return memory.move()
}
