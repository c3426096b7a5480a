import type pg from 'pg'
import { giveWay } from '../../threads/index.ts'

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
  /** Each message of the stream, there until the next is asked for. @throws what the server says, when the stream has ended */
  messages(): AsyncGenerator<Buffer, void>
  /** All rows of the command's results, in their order; resolves after the stream's end. */
  readonly results: Promise<readonly (readonly Record<string, unknown>[])[]>
}

/** Runs a command of the replication protocol whose answer holds a COPY, with back-pressure. */
export function copyStream(client: pg.Client, command: string): CopyStream {
  const connection = client.connection as unknown as CopyConnection
  const blocks = createBlocks()
  const waiting: BlockPart[] = []
  let waitingBytes = 0
  let isPaused = false
  let wake: () => void = () => undefined
  let end: { readonly error: unknown } | null = null

  const received = ({ chunk }: { readonly chunk: Buffer }): void => {
    // Bytes come without a pause for as long as there is room for them.
    giveWay()
    // The parser writes the next bytes where these are.
    waiting.push(blocks.copy(chunk))
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
      let last: BlockPart | null = null
      for (;;) {
        if (last !== null) blocks.free(last)
        last = null
        const next = waiting.shift()
        if (next !== undefined) {
          last = next
          waitingBytes -= next.bytes.length
          if (isPaused && waitingBytes < mostBytes / 2) {
            isPaused = false
            connection.stream.resume()
          }
          yield next.bytes
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

interface Block {
  readonly memory: Buffer
  used: number
  /** Parts of it that are not free yet. */
  parts: number
}

interface BlockPart {
  readonly bytes: Buffer
  readonly block: Block
}

/**
 * Copies chunks, one behind another, into blocks that are used again. With new memory for what passes, a copy of some gigabytes
 * spends half of its time on collecting garbage.
 */
function createBlocks() {
  const unused: Buffer[] = []
  const begin = (memory: Buffer): Block => ({ memory, used: 0, parts: 0 })
  let current = begin(Buffer.alloc(0))
  const reuse = ({ memory, parts }: Block): void => {
    if (parts === 0 && memory.length === blockBytes) unused.push(memory)
  }
  return {
    copy(chunk: Buffer): BlockPart {
      if (current.used + chunk.length > current.memory.length) {
        const full = current
        const isLong = chunk.length > blockBytes
        current = begin(
          isLong ? Buffer.allocUnsafeSlow(chunk.length) : (unused.pop() ?? Buffer.allocUnsafeSlow(blockBytes)),
        )
        reuse(full)
      }
      const bytes = current.memory.subarray(current.used, current.used + chunk.length)
      chunk.copy(bytes)
      current.used += chunk.length
      current.parts += 1
      return { bytes, block: current }
    },
    free({ block }: BlockPart): void {
      block.parts -= 1
      if (block !== current) reuse(block)
    },
  }
}
