import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Stores items together: one store runs at a time, and what comes meanwhile is the next one's. The answer settles as the
 * store of its item does.
 */
export function storeTogether<Item>(store: (items: readonly Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  let open: { readonly items: Item[]; readonly stored: Promise<void> } | null = null
  const begin = async (items: readonly Item[]): Promise<void> => {
    await last
    // What ends in one turn of the event loop is stored together.
    await nextTurn()
    open = null
    await store(items)
  }
  return (item) => {
    if (open === null) {
      const items: Item[] = []
      open = { items, stored: begin(items) }
      last = open.stored.catch(() => undefined)
    }
    open.items.push(item)
    return open.stored
  }
}
