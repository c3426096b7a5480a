import type { SqlEngine } from '../../lib/api/schemas.ts'

/** What is written, as it stays in this browser. */
export interface Draft {
  readonly engine: SqlEngine
  readonly text: string
}

const key = 'clew.sql.draft'
const first: Draft = { engine: 'postgres', text: 'select now()' }

/** What was written last; an example when there is none, or storage is closed to us. */
export function readDraft(): Draft {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return first
    const { engine, text } = stored as Partial<Draft>
    return typeof text === 'string' ? { engine: engine === 'clickhouse' ? engine : 'postgres', text } : first
  } catch {
    return first
  }
}

/** Keeps what is written for the next visit. */
export function keepDraft(draft: Draft): void {
  try {
    localStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Storage refused: the draft is gone when the page is left.
  }
}
