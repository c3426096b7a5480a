import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { instanceError } from '../../errors.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { splitStatements } from '../../ground/sql/split.ts'
import { copyOf } from './dump-header.ts'
import type { ImportItem } from './items.ts'

const gzip = Buffer.from([0x1f, 0x8b])
/** The magic bytes of pg_dump's custom format, and a file of its tar format's first entry. */
const archives = [Buffer.from('PGDMP'), Buffer.from('toc.dat')]

/** Statements are split when this many characters of them were read. */
const piece = 256 * 1024

/**
 * The statements and rows of a file that `pg_dump` or `pg_dumpall` wrote in its plain format, compressed by gzip or not,
 * read as they are asked for.
 *
 * @throws CLEW_IMPORT_FILE where it is in another format or encoding, is compressed and not whole, or ends within rows
 */
export async function* readDumpFile(path: string): AsyncGenerator<ImportItem> {
  const start = await firstBytes(path)
  if (archives.some((magic) => start.subarray(0, magic.length).equals(magic)))
    throw instanceError('CLEW_IMPORT_FILE', {
      message: `${path} is an archive of pg_dump, which only pg_restore reads.`,
      details: `pg_restore -f dump.sql ${path}`,
    })
  const bytes = createReadStream(path)
  const plain = start.subarray(0, gzip.length).equals(gzip) ? bytes.pipe(createGunzip()) : bytes
  bytes.once('error', (error) => plain.destroy(error))
  yield* readDump(decode(plain, path))
}

/** The text of a file's bytes. A byte that is no UTF-8 ends it: a sign in its place would be another value. */
async function* decode(bytes: AsyncIterable<Buffer>, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of bytes) yield decoder.decode(piece, { stream: true })
    yield decoder.decode()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw instanceError('CLEW_IMPORT_FILE', { message: `${path} holds bytes that are not UTF-8.`, cause })
    if (code.startsWith('Z_'))
      throw instanceError('CLEW_IMPORT_FILE', {
        message: `${path} is no whole gzip file.`,
        details: messageOf(cause),
        cause,
      })
    throw cause
  }
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path).catch((cause: unknown) => {
    throw instanceError('CLEW_IMPORT_FILE', { message: `${path} cannot be read.`, cause })
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8)
    return buffer.subarray(0, bytesRead)
  } catch (cause) {
    throw instanceError('CLEW_IMPORT_FILE', { message: `${path} cannot be read.`, details: messageOf(cause), cause })
  } finally {
    await file.close()
  }
}

const copyEnd = ' FROM stdin;'
const psqlLine = /^\\(?:connect|c|restrict|unrestrict|encoding)\b/
const encodingLine = /^SET client_encoding = '(?<encoding>[^']*)';$/

/** The statements and rows of a plain dump that arrives in pieces. */
async function* readDump(text: AsyncIterable<string>): AsyncGenerator<ImportItem> {
  const lines = createLines(text)
  let waiting = ''
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
    if (psqlLine.test(line)) continue
    const encoding = encodingLine.exec(line)?.groups?.encoding
    if (encoding !== undefined && encoding.toUpperCase() !== 'UTF8')
      throw instanceError('CLEW_IMPORT_FILE', { message: `The dump is in ${encoding}; dump with --encoding=UTF8.` })
    waiting += `${line}\n`
    const copied = line.endsWith(copyEnd) ? copyOf(splitStatements(waiting).at(-1) ?? '') : null
    if (copied !== null) {
      const { schema, table, columns } = copied
      const before = splitStatements(waiting).slice(0, -1)
      waiting = ''
      for (const statement of before) yield { kind: 'statement', text: statement, isDumped: true }
      yield { kind: 'rows', schema, table, columns, open: () => Readable.from(copyRows(lines), { objectMode: false }) }
    } else if (waiting.length > piece && line.endsWith(';')) {
      const [complete, rest] = splitComplete(waiting)
      waiting = rest
      for (const statement of complete) yield { kind: 'statement', text: statement, isDumped: true }
    }
  }
  for (const statement of splitStatements(waiting)) yield { kind: 'statement', text: statement, isDumped: true }
}

const sentinel = 'clew_end_of_statements'

/** The statements of a text that have ended, and the text behind them. */
function splitComplete(text: string): readonly [complete: readonly string[], rest: string] {
  const pieces = splitStatements(`${text}\n;${sentinel}`)
  if (pieces.at(-1) === sentinel) return [pieces.slice(0, -1), '']
  const rest = pieces.at(-1)?.replace(new RegExp(String.raw`\n;${sentinel}$`), '') ?? ''
  return [pieces.slice(0, -1), `${rest}\n`]
}

/** Lines of a text, one at a time or those that are there. */
interface Lines {
  next(): Promise<string | undefined>
  /** The next line where it was read already. */
  take(): string | undefined
  /** Reads on; false at the end. */
  fill(): Promise<boolean>
}

function createLines(text: AsyncIterable<string>): Lines {
  const pieces = text[Symbol.asyncIterator]()
  let lines: string[] = []
  let at = 0
  let rest = ''
  let isEnded = false
  const take = (): string | undefined => lines[at++]
  const fill = async (): Promise<boolean> => {
    if (isEnded) return false
    const { value, done } = await pieces.next()
    lines = (done === true ? rest : rest + value).split('\n')
    at = 0
    rest = done === true ? '' : (lines.pop() ?? '')
    isEnded = done === true
    return true
  }
  return {
    take,
    fill,
    async next() {
      for (;;) {
        if (at < lines.length) return take()
        if (!(await fill())) return undefined
      }
    },
  }
}

/** The rows behind a `COPY … FROM stdin`, up to the line `\.`. */
async function* copyRows(lines: Lines): AsyncGenerator<Buffer> {
  for (;;) {
    const rows: string[] = []
    for (let line = lines.take(); line !== undefined; line = lines.take()) {
      if (line === '\\.') {
        if (rows.length > 0) yield Buffer.from(`${rows.join('\n')}\n`)
        return
      }
      rows.push(line)
    }
    if (rows.length > 0) yield Buffer.from(`${rows.join('\n')}\n`)
    if (!(await lines.fill()))
      throw instanceError('CLEW_IMPORT_FILE', { message: 'The dump ends within the rows of a table.' })
  }
}
