/** Transactions that readers have and have not settled. Each is acknowledged when it and all before it are settled. */
export interface InFlightWindow {
  /** Adds a delivery of the transaction that is being read, and its size. Several deliveries may share one promise. */
  add(delivery: Promise<void>, bytes: number): void
  /** The transaction ends at this LSN. */
  committed(lsn: bigint): void
  /** Resolves when there is room for more, or when the window has closed. */
  room(): Promise<void>
  /** Whether the next transaction should wait for room. */
  readonly isFull: boolean
  /** Whether all deliveries are settled. */
  readonly isIdle: boolean
}

/** Deliveries that are settled together: a promise for each transaction would cost more than to decode it. */
interface Load {
  readonly delivery: Promise<void>
  bytes: number
  /** The last commit whose deliveries end with this one. */
  lsn: bigint | null
  settled: boolean
}

export interface InFlightOptions {
  /** About how much may be in flight. */
  readonly maxBytes: number
  /** Called in commit order. */
  readonly acknowledge: (lsn: bigint) => void
  /** Called when a delivery is refused. Nothing after it is acknowledged. */
  readonly failed: (error: unknown) => void
  /** Called when the first delivery is added, when one settles, and, with false, when none is left. */
  readonly progressed: (isWaiting: boolean) => void
  readonly closing: AbortSignal
}

/** Opens a window, which closes with the first refused delivery or with `closing`. */
export function createInFlightWindow(options: InFlightOptions): InFlightWindow {
  const { maxBytes, acknowledge, failed, progressed, closing } = options
  /** In the order in which they were added. */
  const loads: Load[] = []
  let bytesInFlight = 0
  let isClosed = false
  let wake: (() => void) | null = null
  const close = (): void => {
    isClosed = true
    wake?.()
  }
  closing.addEventListener('abort', close, { once: true })

  const settle = (load: Load): void => {
    load.settled = true
    bytesInFlight -= load.bytes
    const waiting = loads.findIndex(({ settled }) => !settled)
    for (const { lsn } of loads.splice(0, waiting === -1 ? loads.length : waiting))
      if (lsn !== null && !isClosed) acknowledge(lsn)
    progressed(loads.length > 0)
    wake?.()
  }

  const isFull = (): boolean => bytesInFlight > maxBytes && !isClosed && !closing.aborted

  return {
    add(delivery, bytes) {
      bytesInFlight += bytes
      const last = loads.at(-1)
      if (last !== undefined && last.delivery === delivery && !last.settled) {
        last.bytes += bytes
        return
      }
      const load: Load = { delivery, bytes, lsn: null, settled: false }
      if (loads.push(load) === 1) progressed(true)
      delivery.then(
        () => settle(load),
        (error: unknown) => {
          bytesInFlight -= load.bytes
          close()
          failed(error)
        },
      )
    },
    committed(lsn) {
      const last = loads.at(-1)
      if (last !== undefined) last.lsn = lsn
      else if (!isClosed) acknowledge(lsn)
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
      return bytesInFlight === 0
    },
  }
}
