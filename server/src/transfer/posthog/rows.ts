import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { instanceError } from '../../errors.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { isObject, type JsonObject } from '../../ground/json/object.ts'

/** A row of a file, and where the next one begins. */
export interface SourceRow {
  /** Null for a line that is no JSON object. */
  readonly row: JsonObject | null
  /** As it stands in the file, for the rejects; of Parquet as JSON. */
  readonly text: string
  /** How many rows of the file stand before the next one. */
  readonly next: number
  /** How much of the file has been read, from 0 to 1. */
  readonly share: number
}

/** One line may be a recording. */
const longestLine = 512 * 1024 * 1024
/** Pages of the API hold some hundred rows. */
const largestPage = 512 * 1024 * 1024

/**
 * The rows of a file from `skip` on: JSON Lines, packed by gzip or brotli or not; Parquet; a page of the API, as JSON. No more
 * than a line, or a group of rows, is held.
 *
 * @throws CLEW_IMPORT_FILE
 */
export async function* readRows(path: string, skip: number): AsyncGenerator<SourceRow> {
  try {
    if (path.endsWith('.parquet')) yield* readParquet(path, skip)
    else if (path.endsWith('.json')) yield* readPage(path, skip)
    else yield* readLines(path, skip)
  } catch (cause) {
    throw instanceError('CLEW_IMPORT_FILE', { message: `${path}: ${messageOf(cause)}`, cause })
  }
}

/** Whether a file of this name is read. */
export const isSourceName = (name: string): boolean =>
  /\.(?:parquet|json|(?:jsonl|ndjson|jsonlines)(?:\.(?:gz|br))?)$/.test(name)

async function* readLines(path: string, skip: number): AsyncGenerator<SourceRow> {
  const { size } = await stat(path)
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  const unpack = path.endsWith('.gz') ? createGunzip() : path.endsWith('.br') ? createBrotliDecompress() : null
  const bytes = unpack === null ? file : file.pipe(unpack)
  file.once('error', (error) => bytes.destroy(error))
  let next = 0
  for await (const line of linesOf(bytes)) {
    next += 1
    if (next <= skip || line.length === 0) continue
    const text = line.toString()
    yield { row: parse(text), text, next, share: size === 0 ? 1 : file.bytesRead / size }
  }
}

const newline = 0x0a

/** Bytes are split, not text: a line is decoded only where it is needed. */
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  for await (const piece of bytes) {
    let start = 0
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, start)) {
      const last = piece.subarray(start, end)
      yield parts.length === 0 ? last : Buffer.concat([...parts, last])
      parts = []
      length = 0
      start = end + 1
    }
    if (start === piece.length) continue
    const rest = piece.subarray(start)
    length += rest.length
    if (length > longestLine) throw new Error('A line is longer than 512 MiB.')
    parts.push(rest)
  }
  if (length > 0) yield Buffer.concat(parts, length)
}

/** A list of rows, `{"results": […]}` as the API answers, or one row. */
async function* readPage(path: string, skip: number): AsyncGenerator<SourceRow> {
  const { size } = await stat(path)
  if (size > largestPage) throw new Error('A page of JSON may have 512 MiB; write its rows as JSON Lines.')
  const page: unknown = JSON.parse(await readFile(path, 'utf8'))
  const rows: readonly unknown[] = Array.isArray(page)
    ? page
    : isObject(page) && Array.isArray(page.results)
      ? page.results
      : [page]
  for (const [index, row] of rows.entries()) {
    if (index < skip) continue
    const next = index + 1
    yield { row: isObject(row) ? row : null, text: JSON.stringify(row), next, share: next / rows.length }
  }
}

/** Rows held at a time: a group of rows of PostHog's may have a million. */
const parquetRows = 1000

async function* readParquet(path: string, skip: number): AsyncGenerator<SourceRow> {
  // Only where such a file is read.
  const [{ parquetMetadataAsync, parquetReadObjects }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ])
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const file = {
      byteLength: size,
      async slice(start: number, end = size) {
        const bytes = new ArrayBuffer(end - start)
        await handle.read(new Uint8Array(bytes), 0, end - start, start)
        return bytes
      },
    }
    const metadata = await parquetMetadataAsync(file)
    const total = Number(metadata.num_rows)
    for (let at = skip; at < total; at += parquetRows) {
      const rowEnd = Math.min(at + parquetRows, total)
      const rows = await parquetReadObjects({ file, metadata, compressors, rowStart: at, rowEnd })
      for (const [index, row] of rows.entries()) {
        const plain = plainRow(row)
        const next = at + index + 1
        yield { row: plain, text: JSON.stringify(plain), next, share: next / total }
      }
    }
  } finally {
    await handle.close()
  }
}

/** Times as texts, large numbers as numbers. */
const plainRow = (row: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? Number(value) : value,
    ]),
  )

function parse(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
