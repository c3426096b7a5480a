/** The direction of a column in an order, each `column.asc` or `column.desc`. */
export function sortOf(sort: readonly string[], column: string): 'asc' | 'desc' | undefined {
  if (sort.includes(`${column}.asc`)) return 'asc'
  return sort.includes(`${column}.desc`) ? 'desc' : undefined
}

/**
 * The order after a press on a column's head: up, down, none.
 *
 * @param extend whether the other columns keep their place in the order
 */
export function sortAfter(sort: readonly string[], column: string, extend: boolean): readonly string[] {
  const direction = sortOf(sort, column)
  const next = direction === undefined ? [`${column}.asc`] : direction === 'asc' ? [`${column}.desc`] : []
  if (!extend) return next
  if (direction === undefined) return [...sort, ...next]
  return sort.flatMap((one) => (one === `${column}.${direction}` ? next : [one]))
}
