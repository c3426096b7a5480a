/** Transactions handed to readers that are ahead: acknowledged in commit order, each when all before it are settled. */
export interface InFlightWindow {
  /** A delivery of the transaction that is being read now, and its size in bytes. Several may share one promise. */
  add(delivery: Promise<void>, bytes: number): void
  /** The transaction ends at this place: it is acknowledged when its deliveries, and all before them, are settled. */
  committed(lsn: bigint): void
  /** Resolves when little enough is in flight for more to be handed on, or when nothing more will be. */
  room(): Promise<void>
  /** Whether what is handed on next should wait for room. */
  readonly isFull: boolean
  /** Whether everything handed on is settled. */
  readonly isIdle: boolean
}

/** What is settled together. A promise for each transaction would cost more than to decode it. */
interface Load {
  readonly delivery: Promise<void>
  bytes: number
  /** The last commit that ends with it. */
  lsn: bigint | null
  settled: boolean
}

/**
 * Keeps count of at most about `mostBytes`.
 *
 * @param acknowledge called in commit order
 * @param failed      called when a delivery is refused: nothing after it is acknowledged any more
 * @param closing     aborted when nobody waits for the readers any longer
 */
export function createInFlightWindow(
  mostBytes: number,
  acknowledge: (lsn: bigint) => void,
  failed: (error: unknown) => void,
  closing: AbortSignal,
): InFlightWindow {
  /** In the order in which they were handed on. */
  const loads: Load[] = []
  let bytesUnderway = 0
  let over = false
  let wake: (() => void) | null = null
  const end = (): void => {
    over = true
    wake?.()
  }
  closing.addEventListener('abort', end, { once: true })

  const settle = (load: Load): void => {
    load.settled = true
    bytesUnderway -= load.bytes
    const waiting = loads.findIndex(({ settled }) => !settled)
    for (const { lsn } of loads.splice(0, waiting === -1 ? loads.length : waiting))
      if (lsn !== null && !over) acknowledge(lsn)
    wake?.()
  }

  const isFull = (): boolean => bytesUnderway > mostBytes && !over && !closing.aborted

  return {
    add(delivery, bytes) {
      bytesUnderway += bytes
      const last = loads.at(-1)
      if (last !== undefined && last.delivery === delivery && !last.settled) {
        last.bytes += bytes
        return
      }
      const load: Load = { delivery, bytes, lsn: null, settled: false }
      loads.push(load)
      delivery.then(
        () => settle(load),
        (error: unknown) => {
          bytesUnderway -= load.bytes
          end()
          failed(error)
        },
      )
    },
    committed(lsn) {
      const last = loads.at(-1)
      if (last !== undefined) last.lsn = lsn
      else if (!over) acknowledge(lsn)
    },
    async room() {
      while (isFull())
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
    get isFull() {
      return isFull()
    },
    get isIdle() {
      return bytesUnderway === 0
    },
  }
}
