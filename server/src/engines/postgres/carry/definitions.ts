import { splitStatements, withoutLeading } from '../../../ground/sql/split.ts'
import type { BulkConnection } from '../bulk/bulk-connection.ts'
import { dumpSchema } from '../dump/dump-schema.ts'
import { carryFailed } from './carried-server.ts'

/** The definitions of a database, as statements for a new cluster whose server keeps numbers. */
export interface Definitions {
  /** Drop the database of the new cluster and make it anew, from another database. */
  readonly making: readonly string[]
  /** Everything that rows need. */
  readonly beforeRows: readonly string[]
  /** Indexes, constraints, triggers, policies, publications, and event triggers last. */
  readonly afterRows: readonly string[]
  /**
   * Checks of tables that exist before: each looks at all rows, and so runs the application's functions. They are for the
   * owner of the table.
   */
  readonly checks: readonly string[]
}

/** pg_dump says this where the database changes; it repeats its settings there. */
const connecting = /^(?:\\encoding .*\n)?\\connect .*\n(?=\nSET statement_timeout = 0;\n)/m
/** pg_dump writes at most three, before the definition of any object. */
const mostConnects = 3

/** As pg_upgrade calls pg_dump: members of extensions are defined one by one, and every object keeps its number. */
const asUpgrade = ['--binary-upgrade', '--quote-all-identifiers']

/**
 * Reads the definitions of a database.
 *
 * @param address  of the superuser
 * @param isThere  whether the new cluster has a database of this name
 * @throws POSTGRES_DUMP_FAILED
 */
export async function readDefinitions(address: string, isThere: boolean): Promise<Definitions> {
  const clean = isThere ? ['--clean'] : []
  const before = await dumpSchema(address, { args: [...asUpgrade, '--create', ...clean, '--section=pre-data'] })
  const after = await dumpSchema(address, { args: [...asUpgrade, '--section=post-data'] })
  return { ...splitDatabase(before), ...splitChecks(splitStatements(after)) }
}

function splitDatabase(script: string): Pick<Definitions, 'making' | 'beforeRows'> {
  const found = connecting.exec(script)
  if (found === null) throw carryFailed('pg_dump did not say where the database begins.')
  const making = splitStatements(script.slice(0, found.index))
  let rest = script.slice(found.index)
  for (let count = 0; count < mostConnects; count += 1) rest = rest.replace(connecting, '')
  return { making, beforeRows: splitStatements(rest) }
}

const addsCheck = /^ALTER (?:TABLE(?: ONLY)?|DOMAIN) [^;]*?\bADD CONSTRAINT "(?:[^"]|"")*" CHECK \(/
const isNotChecked = /\bNOT VALID$/

/** What pg_dump says of a table's check apart from the table, as its function needs the table. */
function splitChecks(statements: readonly string[]): Pick<Definitions, 'afterRows' | 'checks'> {
  const isCheck = (statement: string): boolean => {
    const text = withoutLeading(statement)
    return addsCheck.test(text) && !isNotChecked.test(text)
  }
  return { afterRows: statements.filter((each) => !isCheck(each)), checks: statements.filter(isCheck) }
}

/** Runs statements one by one, and calls `ran` after each. @throws POSTGRES_CARRY_FAILED with the statement that the server refuses */
export async function runAll(
  { query }: BulkConnection,
  statements: readonly string[],
  ran: (statement: string) => Promise<void> = async () => undefined,
): Promise<void> {
  for (const text of statements) {
    try {
      await query({ text, values: [] })
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      const said = withoutLeading(text)
      throw carryFailed(`${reason}: ${said.length > longestSaid ? `${said.slice(0, longestSaid)} …` : said}`, cause)
    }
    await ran(text)
  }
}

const longestSaid = 500
