/** Where a column of a view comes from: a relation and the number of its column. */
export interface ColumnOrigin {
  /** Number of the view's column. */
  readonly column: number
  readonly relation: number
  readonly relationColumn: number
}

/** Where the columns of views come from, by the version of each. */
export type KnownViews = ReadonlyMap<string, readonly ColumnOrigin[]>

const token = /\\.|[{}]|:(resno|resorigtbl|resorigcol|resjunk) ([^\s{}()]+)/gs

/**
 * Reads from a view's rewrite rule (`pg_rewrite.ev_action`) where the columns of its outermost select list come
 * from. Columns made by an expression, or by a UNION, come from nowhere.
 *
 * @see https://www.postgresql.org/docs/current/catalog-pg-rewrite.html
 */
export function viewOrigins(tree: string): readonly ColumnOrigin[] {
  const origins: ColumnOrigin[] = []
  let depth = 0
  let entry: Record<string, string> = {}
  for (const match of tree.matchAll(token)) {
    const [text, field, value] = match
    if (text === '{') {
      depth += 1
      // The outermost query is at depth 1, so the entries of its select list are at depth 2.
      if (depth === 2) entry = {}
    } else if (text === '}') {
      if (depth === 2 && entry.resjunk === 'false' && Number(entry.resorigtbl) > 0) {
        origins.push({
          column: Number(entry.resno),
          relation: Number(entry.resorigtbl),
          relationColumn: Number(entry.resorigcol),
        })
      }
      depth -= 1
    } else if (depth === 2 && field !== undefined && value !== undefined) {
      entry[field] = value
    }
  }
  return origins
}
