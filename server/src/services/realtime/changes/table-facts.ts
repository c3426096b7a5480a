import { LRUCache } from 'lru-cache'
import type { Sql } from '../../../engines/postgres/index.ts'
import { selectFactsStatement, type TableFacts } from './facts.ts'

/** Tables as roles see them, asked again after a moment: rights and policies change without a word. */
export interface FactsReader {
  /** Null where the table or the role is gone. */
  read(relation: number, role: string): Promise<TableFacts | null>
  /** Forgets what is known of a table whose columns, or their types, are others than when this was called last. */
  describedAs(relation: number, types: Readonly<Record<string, string>>): void
}

const mostTables = 5000
const keptMs = 2000

interface FactsRow extends Omit<TableFacts, 'published'> {
  readonly published: TableFacts['published'] | null
}

const notPublished = { insert: false, update: false, delete: false }

export function createFactsReader(sql: Pick<Sql, 'query'>): FactsReader {
  const known = new LRUCache<string, Promise<TableFacts | null>>({ max: mostTables, ttl: keptMs })
  const descriptions = new LRUCache<number, string>({ max: mostTables })
  /** Changes of one table that come together share one object. */
  const texts = new WeakMap<object, string>()
  const keyOf = (relation: number, role: string): string => `${relation} ${role}`
  const ask = async (relation: number, role: string): Promise<TableFacts | null> => {
    const { rows } = await sql.query<FactsRow>(selectFactsStatement(relation, role))
    const [row] = rows
    return row === undefined ? null : { ...row, published: row.published ?? notPublished }
  }
  return {
    read(relation, role) {
      const key = keyOf(relation, role)
      const found = known.get(key)
      if (found !== undefined) return found
      const asked = ask(relation, role)
      known.set(key, asked)
      asked.catch(() => known.delete(key))
      return asked
    },
    describedAs(relation, types) {
      const text = texts.get(types) ?? JSON.stringify(types)
      texts.set(types, text)
      if (descriptions.get(relation) === text) return
      descriptions.set(relation, text)
      for (const key of known.keys()) if (key.startsWith(`${relation} `)) known.delete(key)
    },
  }
}
