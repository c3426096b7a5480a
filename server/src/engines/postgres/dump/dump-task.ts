import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { pgDump } from '@electric-sql/pglite-tools/pg_dump'
import type { TaskOutput } from '../../threads/index.ts'
import { countReady, countRequests } from './frontend-messages.ts'

/** What a thread needs to run pg_dump. */
export interface DumpTask {
  /** Of pg_dump, without those of its connection. */
  readonly args: readonly string[]
  /** The server's answer to the startup message: the connection behind `port` is logged in already. */
  readonly startupAnswer: Uint8Array
  /** Takes bytes for the server; brings its bytes, or null when the connection ended. */
  readonly port: MessagePort
  /** How many messages were put into `port` for the thread, which sleeps on it. */
  readonly arrived: Int32Array
}

/** Runs pg_dump, compiled to WebAssembly, until it ends; its value is the dump's text. */
export async function run(input: unknown): Promise<TaskOutput> {
  // `dumpSchema` is the only one that sends this task.
  const { args, startupAnswer, port, arrived } = input as DumpTask
  const server = blockingServer(port, arrived, startupAnswer)
  const database = {
    execProtocolRawStream(bytes: Uint8Array, { onRawData }: { readonly onRawData: (bytes: Uint8Array) => void }) {
      const answer = server.exchange(bytes)
      if (answer.length > 0) onRawData(answer)
    },
    // Around its work pgDump saves and restores the search path of a session that others use, too. This one is its own.
    query: () => Promise.resolve({ rows: [{ search_path: '' }] }),
    exec: () => Promise.resolve([]),
  }
  try {
    // pgDump calls these three functions of its type, and no others.
    const file = await pgDump({ pg: database as unknown as PGlite, args: [...args] })
    return { value: await file.text(), transfer: [] }
  } finally {
    port.close()
  }
}

/** The server as WebAssembly needs it: a call that returns when the whole answer is there. */
function blockingServer(port: MessagePort, arrived: Int32Array, startupAnswer: Uint8Array) {
  const requests = countRequests()
  const ready = countReady()
  let isStarted = false
  let taken = 0

  const receive = (): Uint8Array | null => {
    while (Atomics.load(arrived, 0) === taken) Atomics.wait(arrived, 0, taken)
    taken += 1
    // The messages are those of `dumpSchema`.
    return (receiveMessageOnPort(port)?.message ?? null) as Uint8Array | null
  }

  return {
    exchange(bytes: Uint8Array): Uint8Array {
      if (!isStarted) {
        isStarted = true
        return startupAnswer
      }
      // The bytes are WebAssembly's memory, which changes.
      port.postMessage(Uint8Array.from(bytes))
      const pieces: Uint8Array[] = []
      let due = requests.add(bytes)
      while (due > 0) {
        const piece = receive()
        // libpq reads the end of the stream, and says so.
        if (piece === null) break
        pieces.push(piece)
        due -= ready.add(piece)
      }
      return Buffer.concat(pieces)
    },
  }
}
