/** What pg_dump says of an object in the comment before its statements. */
export interface DumpHeader {
  readonly name: string
  /** `TABLE`, `FK CONSTRAINT`, `ACL`. */
  readonly type: string
  /** Null where the object is in none, as a schema. */
  readonly schema: string | null
}

const headerLine = /^-- (?:Data for )?Name: (?<name>.*); Type: (?<type>[^;]*); Schema: (?<schema>[^;]*);.*$/gm
const leading = /^(?:\s|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*/

/** A statement without the comments before it. */
export const withoutComments = (text: string): string => text.replace(leading, '')

/**
 * The object that a statement belongs to. One without a comment of its own, such as `alter table … owner to`, belongs to
 * the object of the statement before it.
 */
export function headerOf(text: string, previous: DumpHeader | null): DumpHeader | null {
  const [comments = ''] = leading.exec(text) ?? []
  const found = [...comments.matchAll(headerLine)].at(-1)?.groups
  if (found === undefined) return previous
  const { name = '', type = '', schema = '-' } = found
  return { name, type, schema: schema === '-' ? null : schema }
}

/** Types of objects that pg_dump makes after the rows. */
const afterRows = new Set([
  ...[
    'ACL',
    'CHECK CONSTRAINT',
    'CONSTRAINT',
    'DEFAULT ACL',
    'EVENT TRIGGER',
    'FK CONSTRAINT',
    'INDEX',
    'INDEX ATTACH',
  ],
  ...['MATERIALIZED VIEW DATA', 'POLICY', 'PUBLICATION', 'PUBLICATION TABLE', 'PUBLICATION TABLES IN SCHEMA', 'RULE'],
  ...['ROW SECURITY', 'STATISTICS', 'SUBSCRIPTION', 'TRIGGER'],
])

/** Divides the statements of a dump of definitions into those before the rows and those after them. */
export function atRows(statements: readonly string[]): readonly [before: readonly string[], after: readonly string[]] {
  let header: DumpHeader | null = null
  const first = statements.findIndex((text) => {
    header = headerOf(text, header)
    return header !== null && afterRows.has(header.type)
  })
  return first < 0 ? [statements, []] : [statements.slice(0, first), statements.slice(first)]
}

/** An `insert … values` of a dump. */
export interface DumpInsert {
  readonly schema: string
  readonly table: string
  /** Null where the statement names none. */
  readonly columns: readonly string[] | null
  /** `values (…), (…)`. */
  readonly values: string
}

const quotable = String.raw`(?:"(?:[^"]|"")+"|[\w$]+)`
const insertStart = new RegExp(
  String.raw`^insert\s+into\s+(?<table>${quotable}\.${quotable})\s+(?:\((?<columns>${quotable}(?:,\s*${quotable})*)\)\s+)?(?:overriding\s+(?:system|user)\s+value\s+)?(?=values\b)`,
  'i',
)

/** Reads a statement that pg_dump writes for rows with `--inserts`; null for every other. */
export function insertOf(text: string): DumpInsert | null {
  const code = withoutComments(text)
  const found = insertStart.exec(code)
  if (found === null) return null
  const [schema = '', table = ''] = namesIn(found.groups?.table ?? '')
  const columns = found.groups?.columns
  return {
    schema,
    table,
    columns: columns === undefined ? null : namesIn(columns),
    values: code.slice(found[0].length),
  }
}

const copyStart = new RegExp(
  String.raw`^COPY (?<table>${quotable}(?:\.${quotable})?) \((?<columns>.*)\) FROM stdin$`,
  's',
)

/**
 * Reads the statement that pg_dump writes before rows; null for every other, and for one that has not ended. Its names may
 * hold newlines and parentheses.
 */
export function copyOf(text: string): { schema: string; table: string; columns: readonly string[] } | null {
  const found = copyStart.exec(withoutComments(text))?.groups
  if (found === undefined) return null
  const [schema = '', table = ''] = namesIn(found.table ?? '')
  return { schema, table, columns: namesIn(found.columns ?? '') }
}

/** The names of a list, `public."my table"` or `id, "full name"`. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"]|"")+)"|([^\s,."]+)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )
}
