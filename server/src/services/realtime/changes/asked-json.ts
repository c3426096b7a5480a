import type { Session } from '../../../engines/postgres/index.ts'
import type { RowValues } from '../../../ground/model/change.ts'
import type { ColumnFacts, TableFacts } from './facts.ts'

/** What the database made of values, by column and text. */
export type AskedJson = ReadonlyMap<string, string>

/** Asks for the JSON of values whose types only the database knows: composites, and those with a way to JSON of their own. */
export type AskJson = (facts: TableFacts, role: string, rows: readonly RowValues[]) => Promise<AskedJson>

/** Names a value of a column. */
export const askedKey = ({ name }: Pick<ColumnFacts, 'name'>, value: string): string => `${name}\n${value}`

const timeoutMs = 3000

/** The casts may be users' functions: they run with their reader's rights. */
export const createAskJson =
  (session: Pick<Session, 'run'>): AskJson =>
  async (facts, role, rows) => {
    const found = new Map<string, string>()
    for (const column of facts.columns.filter(({ isAsked }) => isAsked)) {
      const values = [...new Set(rows.flatMap((row) => row[column.name] ?? []))]
      if (values.length === 0) continue
      const answer = await session.run<{ json: string }>({
        role,
        settings: [
          ['search_path', 'public, extensions'],
          ['statement_timeout', String(timeoutMs)],
        ],
        statement: {
          text: `select pg_catalog.to_jsonb(v.value::${column.typeName})::text as json
            from pg_catalog.unnest($1::text[]) with ordinality as v (value, place) order by v.place`,
          values: [values],
        },
        readOnly: true,
        attribute: false,
        end: 'commit',
        context: null,
      })
      values.forEach((value, index) => {
        const json = answer.rows[index]?.json
        if (json !== undefined) found.set(askedKey(column, value), json)
      })
    }
    return found
  }
