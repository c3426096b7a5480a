/** A list that grows at both ends: newest first, `next` asks for what is older. */
export interface GrowingList<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

/**
 * Brings the newest page into what is already there. Items of the page replace their older selves; where the page does not
 * reach what is there (more arrived than one page holds), the page starts the list anew, so that nothing is silently missing.
 */
export function growAtHead<Item>(
  current: GrowingList<Item> | undefined,
  head: GrowingList<Item>,
  idOf: (item: Item) => string,
): GrowingList<Item> {
  if (!current) return head
  const fresh = new Set(head.items.map(idOf))
  const rest = current.items.filter((item) => !fresh.has(idOf(item)))
  const meets = rest.length < current.items.length
  // A list shorter than a page is whole: what is not in it is gone.
  return meets && head.next !== null ? { items: [...head.items, ...rest], next: current.next } : head
}

/** Adds an older page at the end. */
export function growAtTail<Item>(
  current: GrowingList<Item>,
  older: GrowingList<Item>,
  idOf: (item: Item) => string,
): GrowingList<Item> {
  const known = new Set(current.items.map(idOf))
  return { items: [...current.items, ...older.items.filter((item) => !known.has(idOf(item)))], next: older.next }
}
