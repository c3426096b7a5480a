import type pg from 'pg'

/** `pg`'s connection, with what its types leave out. */
interface CopyConnection {
  readonly stream: { pause(): void; resume(): void }
  on(event: 'copyData', listener: (message: { readonly chunk: Buffer }) => void): void
  off(event: 'copyData', listener: (message: { readonly chunk: Buffer }) => void): void
}

/** Bytes that wait to be taken, beyond which the socket is left alone. */
const mostBytes = 8 * 1024 * 1024

/** A command that answers with a stream of bytes, and with rows before and after it. */
export interface CopyStream {
  /** Each message of the stream. @throws what the server says, when the stream has ended */
  messages(): AsyncGenerator<Buffer, void>
  /** All rows of the command's results, in their order; resolves after the stream's end. */
  readonly results: Promise<readonly (readonly Record<string, unknown>[])[]>
}

/** Runs a command of the replication protocol whose answer holds a COPY, with back-pressure. */
export function copyStream(client: pg.Client, command: string): CopyStream {
  const connection = client.connection as unknown as CopyConnection
  const copyOf = createBlocks()
  const waiting: Buffer[] = []
  let waitingBytes = 0
  let isPaused = false
  let wake: () => void = () => undefined
  let end: { readonly error: unknown } | null = null

  const received = ({ chunk }: { readonly chunk: Buffer }): void => {
    // The parser writes the next bytes where these are.
    waiting.push(copyOf(chunk))
    waitingBytes += chunk.length
    if (waitingBytes > mostBytes && !isPaused) {
      isPaused = true
      connection.stream.pause()
    }
    wake()
  }
  connection.on('copyData', received)
  const ended = (error: unknown): void => {
    end = { error }
    connection.off('copyData', received)
    wake()
  }
  // Several results arrive as an array, which the types leave out.
  const results = client.query(command).then((result) => {
    const all = (Array.isArray(result) ? result : [result]) as readonly pg.QueryResult[]
    return all.map(({ rows }) => rows)
  })
  results.then(
    () => ended(null),
    (error: unknown) => ended(error),
  )

  return {
    results,
    async *messages() {
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined) {
          waitingBytes -= next.length
          if (isPaused && waitingBytes < mostBytes / 2) {
            isPaused = false
            connection.stream.resume()
          }
          yield next
        } else if (end !== null) {
          if (end.error !== null) throw end.error
          return
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    },
  }
}

/** Chunks are copied into blocks of so many bytes. */
const blockBytes = 1024 * 1024

/**
 * Copies chunks, one behind another. With memory of its own for each of some 32 KiB, a copy of a gigabyte collects garbage for
 * as long as it computes digests.
 */
function createBlocks(): (chunk: Buffer) => Buffer {
  let block: Buffer = Buffer.alloc(0)
  let used = 0
  return (chunk) => {
    if (chunk.length > blockBytes) return Buffer.from(chunk)
    if (used + chunk.length > block.length) {
      block = Buffer.allocUnsafeSlow(blockBytes)
      used = 0
    }
    const kept = block.subarray(used, used + chunk.length)
    chunk.copy(kept)
    used += chunk.length
    return kept
  }
}
