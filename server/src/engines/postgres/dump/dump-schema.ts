import type { Socket } from 'node:net'
import { MessageChannel } from 'node:worker_threads'
import type pg from 'pg'
import { createThreads, taskModule } from '../../threads/index.ts'
import { type Login, openClient, parseLogin } from '../connection/connections.ts'
import { postgresError } from '../errors.ts'
import type { DumpTask } from './dump-task.ts'
import { renderStartupAnswer } from './frontend-messages.ts'

/** A dump of definitions. */
export interface DumpSchemaOptions {
  /**
   * Options of pg_dump that choose and shape what is dumped: `--schema=public`, `--no-owner`. Those of the connection, of
   * the output and of data have no effect.
   */
  readonly args?: readonly string[]
  /** A snapshot that another transaction exported: `pg_export_snapshot()`. */
  readonly snapshot?: string
}

/** Lines of pg_dump for psql, which only psql understands. */
const psqlLines = /^\\(?:un)?restrict .*\n/gm

/** A column's option of servers since November 2026 (15.20, 18.6), which counts its versions and which none accepts. */
const columnVersion =
  /^(ALTER [^\n]* ALTER COLUMN [^\n]* SET \()(?:pg_attver=\d+(?:, )?|([^\n]*), pg_attver=\d+)([^\n]*)\);\n/gm

/** The script without what pg_dump 18.3 says of things that only the server or psql understands. */
export const withoutInternals = (script: string): string =>
  script
    .replaceAll(psqlLines, '')
    .replaceAll(columnVersion, (_, start: string, before = '', after = '') =>
      `${before}${after}` === '' ? '' : `${start}${before}${after});\n`,
    )

/**
 * The definitions of a database as a script, made by pg_dump 18 compiled to WebAssembly: no binary of PostgreSQL is needed.
 *
 * @param address a connection string of libpq; the server is 15 to 18
 * @throws POSTGRES_UNREACHABLE, and POSTGRES_DUMP_FAILED with pg_dump's own words
 * @see https://www.postgresql.org/docs/current/app-pgdump.html
 */
export const dumpSchema = (address: string, options: DumpSchemaOptions = {}): Promise<string> =>
  dump(address, ['--schema-only'], options)

/**
 * The rows of a database as a script of `insert` statements, as `dumpSchema` dumps its definitions. The whole script is in
 * memory at once, and some 2 GiB are its limit.
 */
export const dumpRows = (address: string, options: DumpSchemaOptions = {}): Promise<string> =>
  dump(address, ['--data-only'], options)

async function dump(
  address: string,
  kind: readonly string[],
  { args = [], snapshot }: DumpSchemaOptions,
): Promise<string> {
  const client = await connect(parseLogin(address))
  const threads = createThreads({ threads: 1, heapMiB: 2_048 })
  try {
    const wanted = [...kind, ...(snapshot === undefined ? [] : [`--snapshot=${snapshot}`]), ...args]
    const startupAnswer = renderStartupAnswer(await readParameters(client))
    const { port1: here, port2: there } = new MessageChannel()
    const arrived = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const socket = takeSocket(client)
    const deliver = (message: Uint8Array | null): void => {
      here.postMessage(message)
      Atomics.add(arrived, 0, 1)
      Atomics.notify(arrived, 0)
    }
    socket.on('data', deliver)
    socket.once('close', () => deliver(null))
    here.on('message', (bytes: Uint8Array) => socket.write(bytes))
    const input: DumpTask = { args: wanted, startupAnswer, port: there, arrived }
    const module = taskModule('./dump-task', import.meta.url)
    const text = await threads.run<string>({ module, input, transfer: [there], sizeBytes: 0 })
    here.close()
    return withoutInternals(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw postgresError('POSTGRES_DUMP_FAILED', { details: reason.trim(), cause })
  } finally {
    await threads.close()
    await client.end()
  }
}

async function connect(login: Login): Promise<pg.Client> {
  try {
    return await openClient(login, 'clew dump')
  } catch (cause) {
    const details = cause instanceof Error ? cause.message : String(cause)
    throw postgresError('POSTGRES_UNREACHABLE', { details, cause })
  }
}

/** What a server reports of itself as a connection begins, as far as pg_dump reads it. */
async function readParameters(client: pg.Client): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ name: string; setting: string }>(`
    select name, setting from pg_catalog.pg_settings
    where name in ('server_version', 'server_encoding', 'client_encoding', 'standard_conforming_strings', 'integer_datetimes')`)
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

/** The socket of a client that has logged in; from here on the client neither reads nor writes it. */
function takeSocket(client: pg.Client): Socket {
  const { stream } = client.connection as unknown as { readonly stream: Socket }
  stream.removeAllListeners('data')
  return stream
}
