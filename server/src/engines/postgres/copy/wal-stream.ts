import type pg from 'pg'
import { formatLsn } from '../changes/lsn.ts'
import { standbyStatus, statusEveryMs } from '../changes/replication.ts'
import { copyStream } from './copy-stream.ts'

/** Where the log is received from. */
export interface WalStart {
  /** A physical slot, which holds the log until it is acknowledged. */
  readonly slot: string
  readonly timeline: number
  readonly fromLsn: bigint
}

/** What the server sends: bytes of the log that begin at `lsn`, or an answer. */
export type WalMessage =
  | { readonly kind: 'log'; readonly lsn: bigint; readonly bytes: Buffer }
  /** What `ask` brought, behind all that was sent before. */
  | { readonly kind: 'reply' }

/** The write-ahead log as it is written, byte after byte. */
export interface WalStream {
  /** Ends when the server stops. @throws what the server says */
  messages(): AsyncGenerator<WalMessage, void>
  /** Everything before it may be forgotten. */
  acknowledge(lsn: bigint): void
  /** Has the server answer with a message now. */
  ask(): void
  close(): Promise<void>
}

/**
 * Receives the log by a physical slot, with back-pressure.
 *
 * @see https://www.postgresql.org/docs/current/protocol-replication.html START_REPLICATION
 */
export function receiveWal(connect: () => Promise<pg.Client>, { slot, timeline, fromLsn }: WalStart): WalStream {
  let acknowledged = 0n
  let connecting: Promise<pg.Client> | null = null
  let client: pg.Client | null = null
  /** Nothing is told before the server has begun to send, nor after the end. */
  let isReceiving = false
  const tell = (wantsReply: boolean): void => {
    if (!isReceiving) return
    const connection = client?.connection as unknown as { sendCopyFromChunk(chunk: Buffer): void } | undefined
    connection?.sendCopyFromChunk(standbyStatus(acknowledged, wantsReply))
  }

  return {
    async *messages() {
      connecting = connect()
      client = await connecting
      const command = `START_REPLICATION SLOT ${slot} PHYSICAL ${formatLsn(fromLsn)} TIMELINE ${timeline}`
      const stream = copyStream(client, command)
      client.connection.once('replicationStart', () => {
        isReceiving = true
      })
      const regular = setInterval(() => tell(false), statusEveryMs)
      const ended = (): void => {
        isReceiving = false
      }
      stream.results.then(ended, ended)
      try {
        for await (const message of stream.messages()) {
          // Bytes of the log are kept until enough of them wait; the message is there until the next.
          if (message[0] === 0x77)
            yield { kind: 'log', lsn: message.readBigUInt64BE(1), bytes: Buffer.from(message.subarray(25)) }
          if (message[0] !== 0x6b) continue
          if (message[17] === 1) tell(false)
          yield { kind: 'reply' }
        }
      } finally {
        ended()
        clearInterval(regular)
      }
    },
    acknowledge(lsn) {
      acknowledged = lsn
      tell(false)
    },
    ask: () => tell(true),
    async close() {
      const opened = await connecting?.catch(() => null)
      // A server that waits for its reader does not see the end.
      opened?.connection.stream.resume()
      await opened?.end().catch(() => undefined)
    },
  }
}
