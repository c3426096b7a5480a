import { s3Error } from '../errors.ts'

/** What an aws-chunked body consists of, in its order. */
export type ChunkEvent =
  /** A chunk begins; the last one has the size 0. */
  | { readonly kind: 'chunk'; readonly sizeBytes: number; readonly signature: string | null }
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'chunk-end' }
  | { readonly kind: 'trailer'; readonly name: string; readonly value: string }

type State = 'size' | 'data' | 'data-end' | 'trailer' | 'done'

/** Longer lines, and more trailers, are no client’s. */
const longestLine = 1024
const mostTrailers = 16

/** Reads an aws-chunked body piece by piece. */
export interface ChunkParser {
  /** @throws MalformedChunk */
  push(bytes: Buffer): readonly ChunkEvent[]
  /** @throws IncompleteBody when the last chunk has not come */
  end(): void
}

export function createChunkParser(): ChunkParser {
  let state: State = 'size'
  let line = ''
  let remaining = 0
  let trailers = 0

  const endOfLine = (): ChunkEvent | null => {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    line = ''
    if (state === 'data-end') {
      if (text !== '') throw s3Error('MalformedChunk')
      state = 'size'
      return { kind: 'chunk-end' }
    }
    if (state === 'size') {
      const chunk = parseChunkLine(text)
      remaining = chunk.sizeBytes
      state = remaining === 0 ? 'trailer' : 'data'
      return chunk
    }
    if (text === '') {
      state = 'done'
      return null
    }
    const mark = text.indexOf(':')
    trailers += 1
    if (mark < 1 || trailers > mostTrailers) throw s3Error('MalformedChunk')
    return { kind: 'trailer', name: text.slice(0, mark).trim().toLowerCase(), value: text.slice(mark + 1).trim() }
  }

  return {
    push(bytes) {
      const events: ChunkEvent[] = []
      let index = 0
      while (index < bytes.length && state !== 'done') {
        if (state === 'data') {
          const piece = bytes.subarray(index, index + remaining)
          index += piece.length
          remaining -= piece.length
          if (remaining === 0) state = 'data-end'
          events.push({ kind: 'data', bytes: piece })
          continue
        }
        const newline = bytes.indexOf(0x0a, index)
        const end = newline < 0 ? bytes.length : newline
        if (line.length + end - index > longestLine) throw s3Error('MalformedChunk')
        line += bytes.toString('latin1', index, end)
        index = end + 1
        if (newline < 0) break
        const event = endOfLine()
        if (event !== null) events.push(event)
      }
      return events
    },
    end() {
      // Some clients leave out the empty line at the end.
      if (state !== 'done' && (state !== 'trailer' || line !== '')) throw s3Error('IncompleteBody')
    },
  }
}

function parseChunkLine(text: string): ChunkEvent & { readonly kind: 'chunk' } {
  const [size = '', ...extensions] = text.split(';')
  // Twelve digits: more than any object has bytes, less than a number holds exactly.
  if (!/^[0-9a-fA-F]{1,12}$/.test(size)) throw s3Error('MalformedChunk')
  const signature = extensions.map((each) => /^chunk-signature=([0-9a-f]{64})$/.exec(each.trim())?.[1]).find(Boolean)
  return { kind: 'chunk', sizeBytes: Number.parseInt(size, 16), signature: signature ?? null }
}
