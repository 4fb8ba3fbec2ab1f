import CIntrinsics

#if arch(arm64)
  /// A product as Arm multiplies: by one lane of an operand, so that 16 bytes of a row serve four steps of depth without
  /// being spread over vectors first, or two rows and two columns at once.
  protocol ArmProduct: InnerProduct {
    /// 16 bytes of a row as the products want them.
    static func row(_ bytes: Int32Vector) -> Int32Vector
    /// sum + the products of 4 bytes of a row, in every lane, with those of each column.
    static func multiply(_ sum: Accumulator, _ row: Int32Vector, _ columns: Int32Vector) -> Accumulator
    /// What sums start from for the products to come out right, by the columns that they are made with.
    static func completed(
      _ start: Accumulator, columns: UnsafeRawPointer, step: Int, depth: Int
    ) -> Accumulator
    /// Whether sums are made block by block.
    static var multipliesBlocks: Bool { get }
    /// sum + the products of 8 bytes of two rows with those of two columns: row by row.
    static func multiplyBlock(_ sum: Accumulator, _ rows: Int32Vector, _ columns: Int32Vector) -> Accumulator
  }

  extension ArmProduct {
    @inline(__always) static func row(_ bytes: Int32Vector) -> Int32Vector { bytes }

    @inline(__always)
    static func completed(
      _ start: Accumulator, columns: UnsafeRawPointer, step: Int, depth: Int
    ) -> Accumulator { start }

    @inline(__always) static var multipliesBlocks: Bool { false }

    @inline(__always)
    static func multiplyBlock(
      _ sum: Accumulator, _ rows: Int32Vector, _ columns: Int32Vector
    ) -> Accumulator { sum }
  }

  extension Float32Product: ArmProduct {
    @inline(__always)
    static func multiply(_ sum: FloatVector, _ row: Int32Vector, _ columns: Int32Vector) -> FloatVector {
      apus_fma(sum, unsafeBitCast(row, to: FloatVector.self), unsafeBitCast(columns, to: FloatVector.self))
    }
  }

  extension BFloat16Product: ArmProduct {
    @inline(__always)
    static func multiply(_ sum: FloatVector, _ row: Int32Vector, _ columns: Int32Vector) -> FloatVector {
      apus_dot_bf16(sum, row, columns)
    }

    #if ISA_NEON_BF16
      @inline(__always) static var multipliesBlocks: Bool { true }

      @inline(__always)
      static func multiplyBlock(
        _ sum: FloatVector, _ rows: Int32Vector, _ columns: Int32Vector
      ) -> FloatVector { neon_block_bf16(sum, rows, columns) }
    #endif
  }

  /// Signed bytes are multiplied as they are; what they would count more as unsigned ones is added beforehand.
  extension Signed8Product: ArmProduct {
    @inline(__always)
    static func multiply(_ sum: Int32Vector, _ row: Int32Vector, _ columns: Int32Vector) -> Int32Vector {
      // The compiler takes a lane for the second operand alone.
      neon_dot_s8s8(sum, columns, row)
    }

    @inline(__always)
    static func completed(
      _ start: Int32Vector, columns: UnsafeRawPointer, step: Int, depth: Int
    ) -> Int32Vector {
      var start = start
      for group in 0..<depth { start = neon_add_lack(start, columns.vector(group &* step)) }
      return start
    }

    #if ISA_NEON_I8MM
      @inline(__always) static var multipliesBlocks: Bool { true }

      @inline(__always)
      static func multiplyBlock(
        _ sum: Int32Vector, _ rows: Int32Vector, _ columns: Int32Vector
      ) -> Int32Vector { neon_block_s8s8(sum, rows, columns) }
    #endif
  }

  extension Unsigned8Product: ArmProduct {
    #if ISA_NEON_I8MM
      @inline(__always)
      static func multiply(_ sum: Int32Vector, _ row: Int32Vector, _ columns: Int32Vector) -> Int32Vector {
        neon_dot_u8s8(sum, row, columns)
      }

      @inline(__always) static var multipliesBlocks: Bool { true }

      @inline(__always)
      static func multiplyBlock(
        _ sum: Int32Vector, _ rows: Int32Vector, _ columns: Int32Vector
      ) -> Int32Vector { neon_block_u8s8(sum, rows, columns) }
    #else
      // Only bytes of one kind are multiplied with each other: unsigned ones are made signed.
      @inline(__always) static func row(_ bytes: Int32Vector) -> Int32Vector { neon_flip_signs(bytes) }

      @inline(__always)
      static func multiply(_ sum: Int32Vector, _ row: Int32Vector, _ columns: Int32Vector) -> Int32Vector {
        Signed8Product.multiply(sum, row, columns)
      }

      @inline(__always)
      static func completed(
        _ start: Int32Vector, columns: UnsafeRawPointer, step: Int, depth: Int
      ) -> Int32Vector { Signed8Product.completed(start, columns: columns, step: step, depth: depth) }
    #endif
  }

  extension Integer16Product: ArmProduct {
    @inline(__always)
    static func multiply(_ sum: Int32Vector, _ row: Int32Vector, _ columns: Int32Vector) -> Int32Vector {
      apus_dot_s16(sum, columns, row)
    }
  }

  /// What the sums of a panel start from.
  @inline(__always)
  func completedStart<P: ArmProduct, W: TileWidth, E: Epilogue>(
    _: P.Type, _: W.Type, _ epilogue: E, _ panel: UnsafeRawPointer, depth: Int
  ) -> (P.Accumulator, P.Accumulator) where E.Accumulator == P.Accumulator {
    let step = W.vectors &* vectorBytes
    @inline(__always) func start(_ vector: Int) -> P.Accumulator {
      P.completed(
        epilogue.start(panel, vector: vector), columns: panel + (step &+ vector &* vectorBytes), step: step,
        depth: depth)
    }
    let first = start(0)
    return (first, W.vectors == 2 ? start(1) : first)
  }

  /// An epilogue whose start was completed once for all rows of a panel.
  struct CompletedEpilogue<Rest: Epilogue>: Epilogue {
    let start: (Rest.Accumulator, Rest.Accumulator)
    let rest: Rest

    @inline(__always)
    func start(_ header: UnsafeRawPointer, vector: Int) -> Rest.Accumulator {
      vector == 0 ? start.0 : start.1
    }

    @inline(__always)
    func columns(_ header: UnsafeRawPointer, _ table: UnsafeRawPointer, vector: Int) -> Rest.Columns {
      rest.columns(header, table, vector: vector)
    }

    @inline(__always)
    func store(_ sum: Rest.Accumulator, row: Int, vector: Int, _ columns: inout Rest.Columns) {
      rest.store(sum, row: row, vector: vector, &columns)
    }

    @inline(__always)
    func isInDoubt(_ columns: Rest.Columns) -> Bool { rest.isInDoubt(columns) }

    @inline(__always)
    func storeAgain(
      _ sums: UnsafePointer<Tile<Rest.Accumulator>>, rows: Int, vectors: Int, table: UnsafeRawPointer
    ) {
      rest.storeAgain(sums, rows: rows, vectors: vectors, table: table)
    }
  }

  /// The quickest instruction of a product, for ceilings.
  enum CeilingProduct<P: ArmProduct>: InnerProduct {
    @inline(__always) static func broadcast(_ address: UnsafeRawPointer) -> Int32Vector { address.vector() }
    @inline(__always) static func columns(_ address: UnsafeRawPointer) -> Int32Vector { address.vector() }
    @inline(__always)
    static func accumulate(_ sum: P.Accumulator, _ a: Int32Vector, _ b: Int32Vector) -> P.Accumulator {
      P.multipliesBlocks ? P.multiplyBlock(sum, a, b) : P.multiply(sum, a, b)
    }
  }

  typealias PanelProduct = ArmProduct
#else
  typealias CeilingProduct<P: InnerProduct> = P
  typealias PanelProduct = InnerProduct
#endif
