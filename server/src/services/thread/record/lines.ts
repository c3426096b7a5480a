/** Most that a batch waits for comes by seconds: a few pieces a batch. */
const pieceBytes = 64 * 1024

const newline = 0x0a

/**
 * Rows ready to be stored, one after another as bytes: what waits to be stored in great number is not the garbage
 * collector's to carry about.
 */
export class Lines {
  private full: Buffer[] = []
  private piece: Buffer = Buffer.alloc(0)
  private at = 0
  private fullBytes = 0
  /** How many lines there are. */
  rows = 0

  append(line: string): void {
    this.rows += 1
    // No character of a string takes more than three bytes of UTF-8.
    const room = line.length * 3 + 1
    if (this.at + room > this.piece.length) {
      if (this.at > 0) this.full.push(this.filled())
      this.fullBytes += this.at
      this.piece = Buffer.allocUnsafeSlow(Math.max(pieceBytes, room))
      this.at = 0
    }
    if (this.at > 0) {
      this.piece[this.at] = newline
      this.at += 1
    }
    this.at += this.piece.write(line, this.at)
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.fullBytes + this.at
  }

  /** All of it, some lines a piece; no piece ends with a newline. */
  get pieces(): readonly Buffer[] {
    return this.at === 0 ? this.full : [...this.full, this.filled()]
  }

  /** All of it in one; the next `clear` makes it void. */
  get joined(): Buffer {
    return this.full.length === 0 ? this.filled() : this.joinedPieces()
  }

  /** Begins anew, in the memory that it has. */
  clear(): void {
    this.full = []
    this.fullBytes = 0
    this.at = 0
    this.rows = 0
    if (this.piece.length > pieceBytes) this.piece = Buffer.alloc(0)
  }

  private joinedPieces(): Buffer {
    const newlines = Buffer.from('\n')
    return Buffer.concat(this.pieces.flatMap((piece, index) => (index === 0 ? [piece] : [newlines, piece])))
  }

  private filled(): Buffer {
    return this.piece.subarray(0, this.at)
  }
}
