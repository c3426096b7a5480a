import { movable, type TaskOutput } from '../../../engines/threads/index.ts'
import { unpackLine } from './unpack.ts'

/** What a batch may grow by; its further lines stay as they are. */
const mostGrowth = 64 * 1024 * 1024
const newline = Buffer.from('\n')

/** Unpacks lines of `snapshots`, with a newline between them, in a thread. */
export function run(lines: ArrayBuffer): TaskOutput {
  const all = Buffer.from(lines)
  const pieces: Buffer[] = []
  let left = mostGrowth
  for (let start = 0; start <= all.length; ) {
    const end = all.indexOf(newline, start)
    const line = all.subarray(start, end === -1 ? all.length : end)
    const plain = unpackLine(line, left)
    left -= Math.max(0, plain.length - line.length)
    if (start > 0) pieces.push(newline)
    pieces.push(plain)
    start += line.length + newline.length
  }
  const value = movable(Buffer.concat(pieces))
  return { value, transfer: [value] }
}
