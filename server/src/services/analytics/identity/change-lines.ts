import type { IdentityChange } from './change.ts'

/** Applying one takes some 50 µs of the event loop: a slice takes 10 ms of it. */
const changesPerSlice = 200
/** A change may carry a property as large as an event may be. */
const bytesPerSlice = 256 * 1024

const newline = 0x0a

/** A change as a line of the spool. */
export const renderChange = (change: IdentityChange): string => JSON.stringify(change)

/**
 * Reads blocks of lines back from the spool, slice by slice: one body may hold as many changes as events, and to parse
 * and apply all of them at once would hold the event loop. The spool has checked their CRC.
 */
export function* changeSlices(blocks: Iterable<Buffer>): Generator<readonly IdentityChange[]> {
  let slice: IdentityChange[] = []
  let bytes = 0
  for (const line of linesOf(blocks)) {
    slice.push(JSON.parse(line.toString('utf8')) as IdentityChange)
    bytes += line.length
    if (slice.length < changesPerSlice && bytes < bytesPerSlice) continue
    yield slice
    slice = []
    bytes = 0
  }
  if (slice.length > 0) yield slice
}

function* linesOf(blocks: Iterable<Buffer>): Generator<Buffer> {
  for (const block of blocks) {
    let start = 0
    for (let end = block.indexOf(newline); end !== -1; end = block.indexOf(newline, start)) {
      yield block.subarray(start, end)
      start = end + 1
    }
    yield block.subarray(start)
  }
}
