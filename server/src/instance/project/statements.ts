import { splitStatements } from '../../ground/sql/split.ts'

/** A statement of a script, without the semicolon that ends it. */
export interface Statement {
  readonly text: string
  /** Where its text begins in the script, in UTF-16 code units. */
  readonly offset: number
}

/** A place in a script that PostgreSQL's grammar does not allow. */
export class ScriptError extends Error {
  /** In UTF-16 code units. */
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Larger scripts, dumps of rows nearly always, are split by their tokens: the tree of 10 MB of inserts takes 1 GB. */
const parsedLength = 512 * 1024

/**
 * The statements of a script in their order, split by PostgreSQL's own parser.
 *
 * @throws ScriptError where the script is no SQL; scripts above 512 KiB are not parsed
 */
export async function statementsOf(script: string): Promise<readonly Statement[]> {
  // pg_dump writes these for psql; only psql understands them.
  const sql = script.replaceAll(/^\\(?:un)?restrict .*$/gm, (line) => ' '.repeat(line.length))
  if (sql.length > parsedLength) return located(sql, splitStatements(sql))
  const { hasSqlDetails, parse } = await import('libpg-query')
  if (splitStatements(sql).length === 0) return []
  const tree = await parse(sql).catch((error: unknown) => {
    if (!hasSqlDetails(error)) throw error
    throw new ScriptError(error.message, unitsOf(sql, error.sqlDetails?.cursorPosition ?? 0))
  })
  const bytes = Buffer.from(sql)
  let from = 0
  return (tree.stmts ?? []).map(({ stmt_location: start = 0, stmt_len: length }) => {
    const end = length === undefined ? bytes.length : start + length
    // The parser begins a statement at its first word; comments before it tell why it is there.
    const piece = bytes.subarray(from, end).toString()
    const text = piece.replace(/^[\s;]+/, '').trimEnd()
    const offset = bytes.subarray(0, from).toString().length + piece.indexOf(text)
    from = end
    return { text, offset }
  })
}

/** Finds pieces, which follow one another, in their script. */
function located(script: string, pieces: readonly string[]): readonly Statement[] {
  let from = 0
  return pieces.map((text) => {
    const offset = script.indexOf(text, from)
    from = offset + text.length
    return { text, offset }
  })
}

/** PostgreSQL counts characters, JavaScript UTF-16 code units. */
export const unitsOf = (text: string, characters: number): number => [...text].slice(0, characters).join('').length

/** A place for a person: `12:8` is the eighth character of the twelfth line. */
export function placeOf(script: string, offset: number): string {
  const before = script.slice(0, offset)
  return `${before.split('\n').length}:${offset - before.lastIndexOf('\n')}`
}
