import type pg from 'pg'
import type { Login } from '../connection/connections.ts'
import { clientClass } from '../connection/multi-host.ts'
import { decodePgoutput, type PgoutputMessage } from './pgoutput.ts'

/** A replication connection that is receiving. */
export interface Replication {
  /** The next message, where one has arrived; undefined where none has. */
  take(): Received | undefined
  /** Waits for the next message; undefined when the connection ended. */
  next(): Promise<Received | undefined>
  /** Says that everything up to here may be forgotten; sent with the next status, at once when `urgent`. */
  acknowledge(lsn: bigint, urgent?: boolean): void
  close(): Promise<void>
}

export type Received =
  | { readonly kind: 'message'; readonly message: PgoutputMessage; readonly bytes: number }
  /** The server has sent all it had up to here. */
  | { readonly kind: 'caught_up'; readonly lsn: bigint }

/** `pg`'s connection, with what its types leave out. */
interface CopyConnection {
  readonly stream: { pause(): void; resume(): void }
  sendCopyFromChunk(chunk: Buffer): void
  on(event: 'copyData', listener: (message: { readonly chunk: Buffer }) => void): void
  once(event: 'replicationStart', listener: () => void): void
}

/** Shared by the hosts, where there are several. */
const connectWithinMs = 20_000
/** Less than half of the server's default wal_sender_timeout, after which it gives a silent reader up. */
export const statusEveryMs = 10_000
const acknowledgeWithinMs = 200
/** Messages waiting to be read, and their bytes, beyond which the socket is left alone. */
const mostMessages = 2_000
const mostBytes = 8 * 1024 * 1024
const epochMs = 946_684_800_000

/** Opens a connection that speaks the replication protocol and, by simple queries only, SQL. */
export async function openReplicationClient(login: Login): Promise<pg.Client> {
  // `replication` is a connection parameter that the types leave out.
  const config = {
    connectionTimeoutMillis: connectWithinMs,
    ...login,
    replication: 'database',
    application_name: 'clew changes',
  } as Login
  const client = new (clientClass(config))(config)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/**
 * Starts receiving a slot's changes from where it stands.
 *
 * @see https://www.postgresql.org/docs/current/protocol-replication.html
 */
export async function startReplication(client: pg.Client, slot: string, publication: string): Promise<Replication> {
  const connection = client.connection as unknown as CopyConnection
  const waiting: Received[] = []
  let waitingBytes = 0
  /** How many of those were taken already. */
  let taken = 0
  let wake: (() => void) | null = null
  let ended = false
  let acknowledged = 0n
  let soon: NodeJS.Timeout | null = null

  const sendStatus = () => {
    if (soon !== null) clearTimeout(soon)
    soon = null
    if (!ended) connection.sendCopyFromChunk(standbyStatus(acknowledged))
  }
  const end = () => {
    ended = true
    clearInterval(regular)
    if (soon !== null) clearTimeout(soon)
    wake?.()
  }
  const regular = setInterval(sendStatus, statusEveryMs)
  client.once('end', end)

  connection.on('copyData', ({ chunk }) => {
    waitingBytes += chunk.length
    if (chunk[0] === 0x77)
      waiting.push({ kind: 'message', message: decodePgoutput(chunk.subarray(25)), bytes: chunk.length })
    if (chunk[0] === 0x6b) {
      waiting.push({ kind: 'caught_up', lsn: chunk.readBigUInt64BE(1) })
      if (chunk[17] === 1) sendStatus()
    }
    if (waiting.length - taken > mostMessages || waitingBytes > mostBytes) connection.stream.pause()
    wake?.()
  })

  const options = `proto_version '2', publication_names '${publication}', messages 'true'`
  const started = new Promise<void>((resolve) => connection.once('replicationStart', resolve))
  const running = client.query(`START_REPLICATION SLOT ${slot} LOGICAL 0/0 (${options})`)
  // Ends only with the connection or an error; an error after the start ends the connection as well.
  running.then(end, end)
  await Promise.race([started, running])

  const take = (): Received | undefined => {
    const received = waiting[taken]
    if (received === undefined) return undefined
    taken += 1
    if (taken === waiting.length) {
      waiting.length = 0
      waitingBytes = 0
      taken = 0
      connection.stream.resume()
    }
    return received
  }

  return {
    take,
    async next() {
      while (taken === waiting.length && !ended)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      wake = null
      return take()
    },
    acknowledge(lsn, urgent = false) {
      if (lsn > acknowledged) acknowledged = lsn
      if (urgent) sendStatus()
      else soon ??= setTimeout(sendStatus, acknowledgeWithinMs)
    },
    async close() {
      if (!ended) sendStatus()
      await client.end()
      end()
    },
  }
}

/** Standby status update: written, flushed and applied up to `lsn`. @param wantsReply asks for a keepalive at once */
export function standbyStatus(lsn: bigint, wantsReply = false): Buffer {
  const message = Buffer.alloc(34)
  message.write('r', 0, 'latin1')
  message.writeBigUInt64BE(lsn, 1)
  message.writeBigUInt64BE(lsn, 9)
  message.writeBigUInt64BE(lsn, 17)
  message.writeBigUInt64BE(BigInt(Date.now() - epochMs) * 1000n, 25)
  message[33] = wantsReply ? 1 : 0
  return message
}
