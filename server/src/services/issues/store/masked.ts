import { type ClickHouse, rewriteTable } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import { addressForms, createMaskAddresses } from '../../../ground/privacy/addresses.ts'
import { maskedAddresses } from '../../../ground/privacy/clickhouse.ts'
import { type MaskedStore, maskedText } from '../../../ground/privacy/masks.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { identifier, join, sql, typed } from '../../../ground/sql/sql.ts'

/** Columns of exceptions that hold a property of their event. */
const facts = { url: '$current_url', browser: '$browser', os: '$os' } as const

/** Where exceptions happened; what they are is grouped by, and no mask names it. */
export const maskedExceptions = (clickhouse: Pick<ClickHouse, 'query' | 'command'>): MaskedStore => ({
  name: 'errors',
  async mask({ properties }, work) {
    if (properties.length === 0) return 0
    const texts = ['url', 'exceptions', 'steps'].map((name) => [name, maskedAddresses(identifier(name), properties)])
    const whole = Object.entries(facts)
      .filter(([, name]) => properties.includes(name))
      .map(([column]) => [column, sql`if(${identifier(column)} = '', '', ${maskedText})`])
    const columns = Object.fromEntries([...texts, ...whole])
    const where = join(
      Object.keys(columns).map((name) => sql`${identifier(name)} != ''`),
      ' or ',
    )
    return rewriteTable(clickhouse, { table: 'exceptions', columns, where: sql`(${where})` }, work)
  },
})

/** The headings of errors, in PostgreSQL. */
export const maskedIssues = (database: Sql): MaskedStore => ({
  name: 'error headings',
  async mask({ properties }, { signal }) {
    if (properties.length === 0) return 0
    signal.throwIfAborted()
    const maskAddresses = createMaskAddresses(properties)
    const { rows } = await database.query<Heading>(
      compile(sql`
        select id, title, message, culprit
        from clew_issues.issues i
        where exists (
          select
          from unnest(${typed(addressForms(properties), 'text[]')}) as form
          where strpos(lower(i.title || ' ' || i.message || ' ' || i.culprit), lower(form) || '=') > 0
        )`),
    )
    let changed = 0
    for (const { id, ...texts } of rows) {
      const [title, message, culprit] = [texts.title, texts.message, texts.culprit].map(maskAddresses)
      if (title === texts.title && message === texts.message && culprit === texts.culprit) continue
      await database.query(
        compile(sql`
          update clew_issues.issues
          set title = ${title}, message = ${message}, culprit = ${culprit}
          where id = ${typed(id, 'uuid')}`),
      )
      changed += 1
    }
    return changed
  },
})

interface Heading {
  readonly id: string
  readonly title: string
  readonly message: string
  readonly culprit: string
}
