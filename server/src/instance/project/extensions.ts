import type { Result, Sql } from '../../engines/postgres/index.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'

/** What happens to a statement on an extension that the server lacks, and that is needed: it ends the start, or is left out. */
export type MissingExtensions = 'refuse' | 'skip'

/** The extensions that a server has, each with its versions. */
export type AvailableExtensions = ReadonlyMap<string, ReadonlySet<string>>

const extensionStatement =
  /^(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?<verb>create|alter|comment\s+on)\s+extension\s+(?:if\s+not\s+exists\s+)?(?:"(?<quoted>(?:[^"]|"")+)"|(?<plain>[\w$]+))(?<rest>.*)$/is

const versionClause = /\bversion\s+(?:'(?<text>[^']+)'|"(?<quoted>[^"]+)"|(?<plain>[\w$]+))/i

/**
 * Extensions that an application has without building on them: those that Supabase creates in every new project, and
 * tools for looking after a database. Dumps of hosted projects name them.
 */
const unneeded: ReadonlySet<string> = new Set([
  ...['pg_graphql', 'pgsodium'],
  ...['hypopg', 'index_advisor', 'pg_repack', 'pg_tle', 'pgaudit', 'pgtap', 'plpgsql_check'],
])

/** What becomes of a statement of a project. */
export type PlannedStatement =
  | { readonly kind: 'run'; readonly text: string }
  | { readonly kind: 'skip'; readonly extension: string }

/**
 * Leaves out what names an extension that the server lacks, and creates one that the server has in other versions in its
 * default version: a dump names the version of the server that it comes from.
 */
export function planStatement(
  text: string,
  available: AvailableExtensions,
  missing: MissingExtensions,
): PlannedStatement {
  const { verb, quoted, plain, rest = '' } = extensionStatement.exec(text)?.groups ?? {}
  const extension = quoted?.replaceAll('""', '"') ?? plain?.toLowerCase()
  if (verb === undefined || extension === undefined) return { kind: 'run', text }
  const versions = available.get(extension)
  if (versions === undefined)
    return missing === 'skip' || unneeded.has(extension) ? { kind: 'skip', extension } : { kind: 'run', text }
  const clause = verb.toLowerCase() === 'create' ? versionClause.exec(rest) : null
  const version = clause?.groups?.text ?? clause?.groups?.quoted ?? clause?.groups?.plain
  if (clause === null || version === undefined || versions.has(version)) return { kind: 'run', text }
  // Blanks keep the places of errors in the file.
  const without = rest.replace(versionClause, (found) => ' '.repeat(found.length))
  return { kind: 'run', text: text.slice(0, text.length - rest.length) + without }
}

/** The extensions that can be created; a version counts where a script or a path of scripts leads to it. */
const availableStatement = () =>
  compile(sql`
    select name, array_agg(version) as versions
    from pg_catalog.pg_available_extension_versions
    group by name`)

const mayName = /\bextension\b/i
const nothing: Result<never> = { rows: [], rowCount: 0 }

/**
 * Statements of a project on a server that may lack some of its extensions.
 *
 * @param log told once of each extension that is left out
 */
export function withExtensions(owner: Sql, missing: MissingExtensions, log: (line: string) => void): Sql {
  let reading: Promise<AvailableExtensions> | undefined
  const left = new Set<string>()
  const available = (): Promise<AvailableExtensions> => {
    reading ??= owner
      .query<{ name: string; versions: readonly string[] }>(availableStatement())
      .then(({ rows }) => new Map(rows.map(({ name, versions }) => [name, new Set(versions)])))
    return reading
  }
  const wrap = (inner: Sql): Sql => ({
    async query(statement, context) {
      if (statement.values.length > 0 || !mayName.test(statement.text)) return inner.query(statement, context)
      const planned = planStatement(statement.text, await available(), missing)
      if (planned.kind === 'run') return inner.query({ ...statement, text: planned.text }, context)
      if (!left.has(planned.extension))
        log(`The extension "${planned.extension}" is left out: this PostgreSQL lacks it.`)
      left.add(planned.extension)
      return nothing
    },
    transaction: (body, context, opening) => inner.transaction((own) => body(wrap(own)), context, opening),
  })
  return wrap(owner)
}
