/** Rows with a newline between them, in one buffer. */
export interface LineBlock {
  /** @param lines one row, or several with a newline between them */
  add(lines: string | Buffer): void
  /** All of them; rows that are added later may lie elsewhere. */
  bytes(): Buffer
}

const firstBytes = 16 * 1024
/** UTF-8 takes at most three bytes for each of JavaScript's characters. */
const mostBytesOf = (lines: string | Buffer): number => (typeof lines === 'string' ? lines.length * 3 : lines.length)
const newline = 0x0a

/** Writes rows as they come: texts that wait for the last one are copied by each collection of garbage until then. */
export function createLineBlock(): LineBlock {
  let buffer = Buffer.allocUnsafe(firstBytes)
  let length = 0
  return {
    add(lines) {
      const needed = length + 1 + mostBytesOf(lines)
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, buffer.length * 2))
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      if (length > 0) {
        buffer[length] = newline
        length += 1
      }
      length += typeof lines === 'string' ? buffer.write(lines, length) : lines.copy(buffer, length)
    },
    bytes: () => buffer.subarray(0, length),
  }
}
