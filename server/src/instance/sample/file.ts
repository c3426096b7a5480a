import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { instanceError } from '../../errors.ts'
import { messageOf } from '../../ground/errors/message.ts'
import type { Scene } from './retime.ts'

/** A recording of visits: the rows that an instance had stored. */
export interface SampleFile {
  readonly scenes: readonly Scene[]
  /** The origin at which the application was reached; null where the head does not say it. */
  readonly origin: string | null
  /** End of the recording, in milliseconds since 1970. */
  readonly until: number
  /** The number of sessions. */
  readonly sessions: number
  /** Rows by their table, in the file's order, each a JSON object. */
  readonly tables: ReadonlyMap<string, readonly Buffer[]>
}

const newline = 0x0a

/**
 * Reads a sample: gzipped lines of JSON. The first is the header; each table is a line with its name and number of rows,
 * followed by the rows.
 *
 * @throws CLEW_START_PROJECT where it cannot be read
 */
export async function readSample(path: string): Promise<SampleFile> {
  try {
    const lines = linesOf(await promisify(gunzip)(await readFile(path)))
    const { scenes, origin, until, sessions } = headOf(lines[0])
    const tables = new Map<string, readonly Buffer[]>()
    for (let at = 1; at < lines.length; ) {
      const { table, rows } = sectionOf(lines[at])
      const end = at + 1 + rows
      if (end > lines.length) throw new Error(`${table} has fewer rows than it says`)
      tables.set(table, lines.slice(at + 1, end))
      at = end
    }
    return { scenes, origin, until, sessions, tables }
  } catch (cause) {
    const reason = messageOf(cause)
    throw instanceError('CLEW_START_PROJECT', { message: `${path} is not a sample: ${reason}`, cause })
  }
}

function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  let from = 0
  for (let to = bytes.indexOf(newline); to !== -1; to = bytes.indexOf(newline, from)) {
    lines.push(bytes.subarray(from, to))
    from = to + 1
  }
  return lines
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(line: Buffer | undefined): Fields {
  const value: unknown = JSON.parse(line?.toString() ?? 'null')
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function headOf(line: Buffer | undefined): Omit<SampleFile, 'tables'> {
  const { sample, scenes, origin = null, until, sessions } = fieldsOf(line)
  if (sample !== 1) throw new Error('its first line does not say that it is one, of version 1')
  if (!Array.isArray(scenes) || !scenes.every(isScene) || typeof until !== 'number' || typeof sessions !== 'number')
    throw new Error('its first line does not say when it was recorded, and how many sessions')
  if (origin !== null && (typeof origin !== 'string' || !URL.canParse(origin)))
    throw new Error('its first line does not say where it was recorded')
  return { scenes, origin, until, sessions }
}

function isScene(value: unknown): value is Scene {
  const { recordedAt, timeOfDay } = { recordedAt: null, timeOfDay: null, ...(typeof value === 'object' ? value : {}) }
  return Number.isInteger(recordedAt) && /^\d\d:\d\d:\d\d$/.test(String(timeOfDay))
}

function sectionOf(line: Buffer | undefined): { readonly table: string; readonly rows: number } {
  const { table, rows } = fieldsOf(line)
  if (typeof table !== 'string' || typeof rows !== 'number' || !Number.isInteger(rows) || rows < 0)
    throw new Error('a table’s name and number of rows are missing')
  return { table, rows }
}
