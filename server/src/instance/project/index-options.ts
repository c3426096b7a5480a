import type { Statement } from '../../ground/sql/postgres.ts'

const leading = String.raw`(?:\s|--[^\n]*\n|/\*[^]*?\*/)*`
const option = String.raw`\s*(?:m|ef_construction|lists)\s*=\s*'?\d+'?\s*`
const neighbourIndex = new RegExp(String.raw`^${leading}create\s+index\b[^]*\busing\s+"?(?:hnsw|ivfflat)\b`, 'i')
const options = new RegExp(String.raw`\bwith\s*\(${option}(?:,${option})*\)`, 'gi')

/**
 * The text of `create index … using hnsw (…) with (m = 16)` without the options of such an index, which Clew's own
 * extension `vector` accepts nowhere: the access method under those names has other ones. Places in the text stay.
 *
 * @returns null for every other statement
 */
export function withoutIndexOptions(text: string): string | null {
  if (!neighbourIndex.test(text)) return null
  const without = text.replace(options, (clause) => clause.replaceAll(/[^\n]/g, ' '))
  return without === text ? null : without
}

/** A row where `hnsw` is Clew's own, and none where it is that of a library. */
export const selectOwnIndexStatement = (): Statement => ({
  text: `select from pg_catalog.pg_am where amname = 'hnsw' and amhandler = 'pg_catalog.brinhandler'::regproc`,
  values: [],
})
