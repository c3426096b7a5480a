import type { QualifiedName } from '../../cache/schema-cache.ts'
import type { DataTable, ForeignKey } from '../table-catalogue.ts'
import type { TextValues } from '../text-values.ts'

/** Rows in an order in which each stands after those among them that it refers to; rows in a circle as they come. */
export function inOrderOfReferences<Item>(
  items: readonly Item[],
  valuesOf: (item: Item) => TextValues,
  tableOf: (item: Item) => DataTable | undefined,
): readonly Item[] {
  const byKey = new Map<string, Item>()
  const keyOf = ({ schema, name }: QualifiedName, columns: readonly string[], values: readonly unknown[]): string =>
    JSON.stringify([schema, name, columns, values])
  for (const item of items) {
    const table = tableOf(item)
    for (const { foreignColumns } of table?.referencedBy ?? []) {
      const values = foreignColumns.map((column) => valuesOf(item)[column])
      if (table) byKey.set(keyOf(table, foreignColumns, values), item)
    }
  }
  const parentOf = (item: Item, { to, columns, foreignColumns }: ForeignKey): Item | undefined =>
    byKey.get(
      keyOf(
        to,
        foreignColumns,
        columns.map((column) => valuesOf(item)[column]),
      ),
    )
  const placed = new Set<Item>()
  const place = (item: Item, within: ReadonlySet<Item>): void => {
    if (placed.has(item) || within.has(item)) return
    for (const key of tableOf(item)?.foreignKeys ?? []) {
      const parent = parentOf(item, key)
      if (parent !== undefined) place(parent, new Set([...within, item]))
    }
    placed.add(item)
  }
  for (const item of items) place(item, new Set())
  return [...placed]
}
