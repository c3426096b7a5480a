import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { replayError } from '../errors.ts'

export interface LineLimits {
  /** Of all that the file unpacks to. */
  readonly totalBytes: number
  /** Of one line. */
  readonly lineBytes: number
}

const newline = 0x0a

/**
 * The lines of a file that is packed by gzip, each without its break; what comes behind the last break is a line, too. No more
 * is unpacked than is taken, and no more is held than a line.
 *
 * @throws CLEW_REPLAY_FILE_DAMAGED, CLEW_REPLAY_FILE_TOO_LARGE
 */
export async function* unpackLines(packed: AsyncIterable<Buffer>, limits: LineLimits): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  let total = 0
  for await (const piece of unpack(packed)) {
    total += piece.length
    if (total > limits.totalBytes) throw replayError('CLEW_REPLAY_FILE_TOO_LARGE')
    let start = 0
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, start)) {
      yield Buffer.concat([...parts, piece.subarray(start, end)])
      parts = []
      length = 0
      start = end + 1
    }
    const rest = piece.subarray(start)
    length += rest.length
    if (length > limits.lineBytes)
      throw replayError('CLEW_REPLAY_FILE_TOO_LARGE', { message: 'A message of the recording is too large.' })
    if (rest.length > 0) parts.push(rest)
  }
  if (length > 0) yield Buffer.concat(parts, length)
}

async function* unpack(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    for await (const piece of pipeline(Readable.from(packed), createGunzip(), () => undefined)) yield piece
  } catch (cause) {
    throw replayError('CLEW_REPLAY_FILE_DAMAGED', { cause })
  }
}
