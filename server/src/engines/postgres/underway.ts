/** Transactions handed to readers that are ahead: acknowledged in commit order, each when all before it are settled. */
export interface Underway {
  /** A delivery of the transaction that is being read now, and its size. */
  add(delivery: Promise<void>, rows: number): void
  /** The transaction ends at this place: it is acknowledged when its deliveries, and all before them, are settled. */
  committed(lsn: bigint): void
  /** Resolves when few enough rows are underway for more to be handed on, or when nothing more will be. */
  room(): Promise<void>
  /** Whether everything handed on is settled. */
  readonly isIdle: boolean
}

/**
 * Keeps count of at most about `mostRows` rows.
 *
 * @param acknowledge called in commit order
 * @param failed      called when a delivery is refused: nothing after it is acknowledged any more
 * @param closing     aborted when nobody waits for the readers any longer
 */
export function createUnderway(
  mostRows: number,
  acknowledge: (lsn: bigint) => void,
  failed: (error: unknown) => void,
  closing: AbortSignal,
): Underway {
  let rowsUnderway = 0
  let over = false
  let settled: Promise<unknown> = Promise.resolve()
  let wake: (() => void) | null = null
  const end = (): void => {
    over = true
    wake?.()
  }
  closing.addEventListener('abort', end, { once: true })

  return {
    add(delivery, rows) {
      rowsUnderway += rows
      const counted = delivery.finally(() => {
        rowsUnderway -= rows
        wake?.()
      })
      settled = Promise.all([settled, counted])
      // Each later link is refused with the first; who made the stream is told of it once.
      settled.catch(() => undefined)
      counted.catch((error: unknown) => {
        end()
        failed(error)
      })
    },
    committed(lsn) {
      settled = settled.then(() => acknowledge(lsn))
      settled.catch(() => undefined)
    },
    async room() {
      while (rowsUnderway > mostRows && !over && !closing.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
    get isIdle() {
      return rowsUnderway === 0
    },
  }
}
