/** What is published until each node has settled it. */
export interface Waiting {
  /**
   * Publishes, and again while a node has not answered: a message may get lost. Resolves when all have settled it or are
   * gone, and rejects when one refuses it.
   */
  forAll(number: number, nodes: Iterable<string>, publish: () => void): Promise<void>
  settled(number: number, node: string, failure: string | null): void
  gone(node: string): void
  /** Waits for nothing any more. */
  close(): void
}

interface Pending {
  readonly nodes: Set<string>
  readonly end: (failure: string | null) => void
}

const againMs = 1000

export function createWaiting(): Waiting {
  const pending = new Map<number, Pending>()
  const drop = ({ nodes, end }: Pending, node: string): void => {
    if (nodes.delete(node) && nodes.size === 0) end(null)
  }
  return {
    async forAll(number, names, publish) {
      const nodes = new Set(names)
      if (nodes.size === 0) return
      const again = setInterval(publish, againMs)
      try {
        await new Promise<void>((resolve, reject) => {
          const end = (failure: string | null): void => (failure === null ? resolve() : reject(new Error(failure)))
          pending.set(number, { nodes, end })
          publish()
        })
      } finally {
        clearInterval(again)
        pending.delete(number)
      }
    },
    settled(number, node, failure) {
      const waiting = pending.get(number)
      if (waiting === undefined) return
      if (failure === null) drop(waiting, node)
      else waiting.end(failure)
    },
    gone(node) {
      for (const waiting of pending.values()) drop(waiting, node)
    },
    close() {
      for (const { end } of pending.values()) end('This process ends.')
    },
  }
}
