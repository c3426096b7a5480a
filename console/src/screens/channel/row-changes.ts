/** Row changes as a channel asks for them. */
export interface RowChangesWish {
  readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
  readonly schema: string
  readonly table: string
  readonly filter?: string
}

/** The members of a change that are read here; the client gives an empty row where there is none. */
interface HeardChange {
  readonly schema: string
  readonly table: string
  readonly new: object
  readonly old: object
  readonly commit_timestamp: string
  readonly errors: readonly string[] | null
}

/** What is shown of a change: its rows before all else, which a narrow list may cut off. */
export const describeChange = ({ schema, table, new: fresh, old, commit_timestamp, errors }: HeardChange): object => ({
  table: `${schema}.${table}`,
  ...(Object.keys(fresh).length > 0 && { new: fresh }),
  ...(Object.keys(old).length > 0 && { old }),
  commit_timestamp,
  ...(errors && { errors }),
})

/** Reads a form: `orders`, `shop.orders` or `shop.*`, and a filter such as `status=eq.open`. */
export function readRowChangesWish(event: RowChangesWish['event'], table: string, filter: string): RowChangesWish {
  const text = table.trim()
  const dot = text.indexOf('.')
  const [schema, name] = dot < 0 ? ['public', text] : [text.slice(0, dot), text.slice(dot + 1)]
  return { event, schema, table: name, ...(filter.trim() !== '' && { filter: filter.trim() }) }
}
