import type pg from 'pg'
import { postgresError } from '../errors.ts'
import { copyStream } from './copy-stream.ts'
import { readTar, type TarEntry } from './tar.ts'

/** What a base backup holds, as the server says. */
export interface BaseBackup {
  /** Where the log begins that is needed to make the copy consistent, and where it ends. */
  readonly startLsn: string
  readonly stopLsn: string
  readonly timeline: number
  /** The server's own list of its files, `backup_manifest`. */
  readonly manifest: Buffer
}

const archiveBegins = 0x6e
const manifestBegins = 0x6d
const data = 0x64

/**
 * Copies the files of a running cluster, with the log that they need, through the replication protocol.
 *
 * @param client speaks the replication protocol
 * @param take   called with each entry of the copy, one after another
 * @throws POSTGRES_COPY_FAILED for a damaged page, log that is gone, a tablespace elsewhere
 * @see https://www.postgresql.org/docs/current/protocol-replication.html BASE_BACKUP
 */
export async function takeBaseBackup(
  client: pg.Client,
  label: string,
  take: (entry: TarEntry) => Promise<void>,
): Promise<BaseBackup> {
  const options = `label '${label}', checkpoint 'fast', wal, manifest 'yes'`
  const { messages, results } = copyStream(client, `BASE_BACKUP (${options})`)
  const parts = splitMessages(messages())
  // Told below, where it is waited for.
  results.catch(() => undefined)
  try {
    for await (const entry of readTar(parts.archive())) await take(entry)
    const manifest = await parts.manifest()
    const places = (await results).flat().filter((row) => 'recptr' in row)
    const [begin, end] = [places[0], places.at(-1)]
    return {
      startLsn: String(begin?.recptr),
      stopLsn: String(end?.recptr),
      timeline: Number(end?.tli),
      manifest,
    }
  } catch (error) {
    // What the server still sends is not read: it would wait for a reader.
    client.connection.stream.destroy()
    if (!isServerError(error)) throw error
    throw postgresError('POSTGRES_COPY_FAILED', { details: error.message, cause: error })
  }
}

const isServerError = (error: unknown): error is Error => error instanceof Error && 'severity' in error

/** The stream's two parts: the bytes of the archive, then those of the manifest. */
function splitMessages(messages: AsyncGenerator<Buffer, void>) {
  let archives = 0
  return {
    async *archive(): AsyncGenerator<Buffer, void> {
      for (;;) {
        const { value: message, done } = await messages.next()
        if (done === true || message[0] === manifestBegins) return
        if (message[0] === archiveBegins) archives += 1
        if (archives > 1) {
          throw postgresError('POSTGRES_COPY_FAILED', {
            details: 'A tablespace lies outside of the data directory. Move its tables into pg_default, and drop it.',
          })
        }
        if (message[0] === data) yield message.subarray(1)
      }
    },
    async manifest(): Promise<Buffer> {
      const collected: Buffer[] = []
      for await (const message of messages) if (message[0] === data) collected.push(Buffer.from(message.subarray(1)))
      return Buffer.concat(collected)
    },
  }
}
