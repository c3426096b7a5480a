import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { type Sql, sqlStateOf } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { selectOwnIndexStatement, withoutIndexOptions } from './index-options.ts'
import { placeOf, ScriptError, type Statement, statementsOf, unitsOf } from './statements.ts'

/** A file of the project folder that is being applied. */
export interface ProjectFile {
  readonly path: string
  readonly text: string
  readonly statements: readonly Statement[]
}

/** Where and why a file could not be applied. */
export interface FileFailure {
  /** `12:8` is the eighth character of the twelfth line; null where no statement failed, as when a connection ends. */
  readonly place: string | null
  /** Null where the file could not be split into statements. */
  readonly statement: string | null
  readonly reason: string
}

/** The cause of a CLEW_START_PROJECT that a file's content has. */
class FileError extends Error {
  readonly failure: FileFailure
  constructor(failure: FileFailure, cause: unknown) {
    super(failure.reason, { cause })
    this.failure = failure
  }
}

/** What an error of `runFile` or `parseProjectFile` says of its file; its message alone where it says no more. */
export const failureOf = (error: unknown): FileFailure =>
  error instanceof Error && error.cause instanceof FileError
    ? error.cause.failure
    : { place: null, statement: null, reason: messageOf(error) }

/**
 * Reads a file of statements.
 *
 * @param folder the project folder, from which messages name the file
 * @throws CLEW_START_PROJECT where it is no SQL
 */
export const readProjectFile = async (folder: string, path: string): Promise<ProjectFile> =>
  parseProjectFile(relative(folder, path), await readFile(path, 'utf8'))

/**
 * Splits the text of a file into its statements.
 *
 * @param name the file's path from the project folder
 * @throws CLEW_START_PROJECT where it is no SQL
 */
export async function parseProjectFile(name: string, text: string): Promise<ProjectFile> {
  try {
    return { path: name, text, statements: await statementsOf(text) }
  } catch (cause) {
    if (!(cause instanceof ScriptError)) throw cause
    const place = placeOf(text, cause.offset)
    throw instanceError('CLEW_START_PROJECT', {
      message: `${name}:${place}: ${cause.message}\n${excerpt(text, cause.offset)}${copyNote(text)}`,
      cause: new FileError({ place, statement: null, reason: cause.message }, cause),
    })
  }
}

const copyNote = (text: string): string =>
  /^\s*copy\b.*\bfrom\s+stdin/im.test(text)
    ? '\n  Rows after COPY … FROM stdin are for psql alone: write INSERT (pg_dump --inserts does), or load them with psql.'
    : ''

/**
 * SQLSTATEs of statements that cannot run inside a transaction, such as `create index concurrently`, and of the use of an
 * enum's value in the transaction that adds it (project-folder §5).
 */
const needsNoTransaction: ReadonlySet<string | null> = new Set(['25001', '55P04'])

/**
 * Runs a file's statements and `record` in one transaction, or one by one where a statement cannot run in a transaction.
 *
 * @throws CLEW_START_PROJECT naming file, line, column, the statement and PostgreSQL's message
 */
export async function runFile(owner: Sql, file: ProjectFile, record: (own: Sql) => Promise<void>): Promise<void> {
  let current: Statement | undefined
  const runAll = async (own: Sql): Promise<void> => {
    for (const statement of file.statements) {
      current = statement
      await own.query({ text: await acceptedText(own, statement.text), values: [] })
    }
    current = undefined
    await record(own)
  }
  try {
    await owner.transaction(runAll).catch((error: unknown) => {
      if (!needsNoTransaction.has(sqlStateOf(error))) throw error
      return runAll(owner)
    })
  } catch (cause) {
    throw describeFailure(file, current, cause)
  }
}

/** A statement's text, without what Clew's own extensions cannot accept. */
async function acceptedText(own: Sql, text: string): Promise<string> {
  const without = withoutIndexOptions(text)
  if (without === null) return text
  const { rows } = await own.query(selectOwnIndexStatement())
  return rows.length > 0 ? without : text
}

function describeFailure({ path, text }: ProjectFile, statement: Statement | undefined, cause: unknown): Error {
  const reason = messageOf(cause)
  if (statement === undefined)
    return instanceError('CLEW_START_PROJECT', {
      message: `${path}: ${reason}`,
      cause: new FileError({ place: null, statement: null, reason }, cause),
    })
  const position = positionOf(cause)
  const inside = position === null ? firstWordOf(statement.text) : unitsOf(statement.text, position - 1)
  const offset = statement.offset + inside
  const place = placeOf(text, offset)
  const lacksExtension = /^extension "[^"]+" is not available/.test(reason)
  return instanceError(lacksExtension ? 'CLEW_START_EXTENSION' : 'CLEW_START_PROJECT', {
    message: `${path}:${place}: ${reason}\n${excerpt(text, offset)}`,
    cause: new FileError({ place, statement: statement.text, reason }, cause),
  })
}

/** Where a statement begins behind the comments before it, in UTF-16 code units. */
const firstWordOf = (text: string): number => /^(?:\s+|--.*|\/\*[\s\S]*?\*\/)*/.exec(text)?.[0].length ?? 0

/** Where in the statement PostgreSQL points to, counted from 1 in characters; null where it does not. */
function positionOf(error: unknown): number | null {
  for (let each = error; each instanceof Error; each = each.cause)
    if ('position' in each && each.position !== undefined) return Number(each.position)
  return null
}

/** The lines around a place, the place marked. */
function excerpt(text: string, offset: number): string {
  const lines = text.split('\n')
  const [line = 1, column = 1] = placeOf(text, offset).split(':').map(Number)
  const first = Math.max(1, line - 2)
  const width = String(line).length
  const shown = lines.slice(first - 1, line).map((content, index) => {
    return `  ${String(first + index).padStart(width)} | ${content.slice(0, shownColumns)}`
  })
  const mark = column <= shownColumns ? [`  ${' '.repeat(width)} | ${' '.repeat(column - 1)}^`] : []
  return [...shown, ...mark].join('\n')
}

const shownColumns = 160
