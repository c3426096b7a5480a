import { randomUUID } from 'node:crypto'

export interface BatchesOptions<Item> {
  /** Stores a batch; called again with the same token after a failure, so that a batch half seen is stored once. */
  readonly write: (items: readonly Item[], token: string) => Promise<void>
  /** Milliseconds that the first item of a batch waits for others. */
  readonly lingerMs: number
  /**
   * Under load it waits longer: when the batch before had as many rows, and went not long ago. A batch costs the store
   * far more than a row does.
   */
  readonly underLoad?: { readonly rows: number; readonly lingerMs: number }
  readonly maxItems: number
  /** Rows of an item, one where nothing is said; they may grow until the item is written. */
  readonly rowsOf?: (item: Item) => number
  /** Items held while the store does not answer; the oldest are dropped beyond it. */
  readonly maxHeld: number
  readonly onDropped: (rows: number) => void
  readonly onFailed: (error: unknown) => void
}

/** Gathers items and stores them in batches, one batch at a time, in order. */
export interface Batches<Item> {
  add(item: Item): void
  /** Resolves when these items are stored; rejects when they never will be. */
  stored(items: readonly Item[]): Promise<void>
  /** Stores what is held now, without waiting for more. */
  flush(): Promise<void>
  /** Stores what is held, with one attempt a batch, and takes no more. */
  close(): Promise<void>
  /** Rows that wait. */
  readonly held: number
}

interface Entry<Item> {
  readonly item: Item
  readonly settle: ((error: unknown) => void) | null
}

const firstPauseMs = 250
const longestPauseMs = 10_000

/** Makes the gatherer. Nothing it is given waits, unless it asks to with `stored`. */
export function createBatches<Item>(options: BatchesOptions<Item>): Batches<Item> {
  const { rowsOf = () => 1 } = options
  const rowsOfAll = (entries: readonly Entry<Item>[]): number =>
    entries.reduce((sum, { item }) => sum + rowsOf(item), 0)
  const pending: Entry<Item>[] = []
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let wake: (() => void) | null = null
  let closing = false
  /** Nobody waits for more: all that is held is to be stored. */
  let draining = 0
  /** Until when the load of the last batch is taken to go on. */
  let loadedUntil = 0

  const start = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    running ??= run().finally(() => {
      running = null
      if (pending.length > 0) schedule()
    })
    return running
  }

  const lingerMs = (): number =>
    options.underLoad !== undefined && performance.now() < loadedUntil ? options.underLoad.lingerMs : options.lingerMs

  const drain = async (): Promise<void> => {
    draining += 1
    try {
      while (pending.length > 0 || running !== null) await start()
    } finally {
      draining -= 1
    }
  }

  const schedule = (): void => {
    if (pending.length >= options.maxItems || closing) {
      void start()
    } else if (timer === null && running === null) {
      timer = setTimeout(start, lingerMs())
      timer.unref()
    }
  }

  async function run(): Promise<void> {
    do {
      const batch = pending.splice(0, options.maxItems)
      const error = await write(batch.map(({ item }) => item))
      for (const { settle } of batch) settle?.(error)
      const rows = rowsOfAll(batch)
      if (error !== null) options.onDropped(rows)
      if (options.underLoad !== undefined && rows >= options.underLoad.rows)
        loadedUntil = performance.now() + options.underLoad.lingerMs
    } while (pending.length >= options.maxItems || (pending.length > 0 && (draining > 0 || closing)))
  }

  async function write(items: readonly Item[]): Promise<unknown> {
    const token = randomUUID()
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        await options.write(items, token)
        return null
      } catch (error) {
        options.onFailed(error)
        if (closing) return error ?? new Error('The batch could not be stored.')
        await pause(pauseMs)
      }
    }
  }

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const pauseTimer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(pauseTimer)
        resolve()
      }
    })

  const push = (entry: Entry<Item>): void => {
    if (closing) {
      entry.settle?.(new Error('The thread is closing.'))
      if (entry.settle === null) options.onDropped(rowsOf(entry.item))
      return
    }
    pending.push(entry)
    if (pending.length > options.maxHeld) {
      const dropped = pending.splice(0, Math.ceil(options.maxHeld / 10))
      for (const { settle } of dropped) settle?.(new Error('Too much is waiting to be stored.'))
      options.onDropped(rowsOfAll(dropped))
    }
    schedule()
  }

  return {
    add: (item) => push({ item, settle: null }),
    stored: (items) =>
      new Promise((resolve, reject) => {
        if (items.length === 0) resolve()
        items.forEach((item, index) => {
          const settle = (error: unknown): void => (error === null ? resolve() : reject(error))
          push({ item, settle: index === items.length - 1 ? settle : null })
        })
      }),
    flush: drain,
    async close() {
      closing = true
      wake?.()
      await drain()
    },
    get held() {
      return rowsOfAll(pending)
    },
  }
}
