/** A file on its way to a bucket. */
export interface Upload {
  readonly id: number
  readonly key: string
  readonly file: File
  readonly sentBytes: number
  /** `taken`: another object has its key. */
  readonly state: 'waiting' | 'sending' | 'paused' | 'stored' | 'taken' | 'failed' | 'canceled'
  /** Why it failed, or does not move on. */
  readonly problem: string | null
}

/** Whether nothing more happens to an upload by itself. */
export const hasEnded = ({ state }: Upload): boolean =>
  state === 'stored' || state === 'taken' || state === 'failed' || state === 'canceled'

/** What becomes of a transfer. */
export interface TransferEvents {
  readonly onProgress: (sentBytes: number) => void
  /** It does not move on for now, and is tried again by itself. */
  readonly onStall: (problem: string) => void
  readonly onStored: () => void
  /** Another object has the key. */
  readonly onTaken: () => void
  readonly onFailed: (problem: string) => void
}

/** The bytes of a file on their way: what is stopped goes on where it was. */
export interface Transfer {
  start(): void
  pause(): void
  /** Stops it; what the server has of it is removed. */
  cancel(): void
}

/** Prepares a transfer, which begins with `start`. */
export type OpenTransfer = (
  what: Pick<Upload, 'key' | 'file'> & { readonly replaces: boolean },
  events: TransferEvents,
) => Transfer
