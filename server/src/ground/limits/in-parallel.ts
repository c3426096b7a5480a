/** Runs `work` for each item, at most `jobs` at a time; after an error no further item is begun, and it is thrown. */
export async function inParallel<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  jobs: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = iterate(items)
  let hasFailed = false
  const worker = async (): Promise<void> => {
    while (!hasFailed) {
      const { value, done } = await iterator.next()
      if (done === true) return
      await work(value)
    }
  }
  const workers = Array.from({ length: Math.max(1, jobs) }, () =>
    worker().catch((error: unknown) => {
      hasFailed = true
      throw error
    }),
  )
  const ends = await Promise.allSettled(workers)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** A generator answers concurrent calls of `next` one after another. */
async function* iterate<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item, undefined> {
  yield* items
}
