/** Row changes as a channel asks for them. */
export interface RowChangesWish {
  readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
  readonly schema: string
  readonly table: string
  readonly filter?: string
}

/** Reads a form: `orders`, `shop.orders` or `shop.*`, and a filter such as `status=eq.open`. */
export function readRowChangesWish(event: RowChangesWish['event'], table: string, filter: string): RowChangesWish {
  const text = table.trim()
  const dot = text.indexOf('.')
  const [schema, name] = dot < 0 ? ['public', text] : [text.slice(0, dot), text.slice(dot + 1)]
  return { event, schema, table: name, ...(filter.trim() !== '' && { filter: filter.trim() }) }
}
