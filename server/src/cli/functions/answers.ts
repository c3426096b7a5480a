/** A version as the console's API answers it (functions §8). */
export interface VersionAnswer {
  readonly number: number
  readonly madeAt: string
  readonly madeBy: string | null
  readonly entry: string
  readonly verifyJwt: boolean
  readonly hash: string
  readonly sizeBytes: number
  readonly isActive: boolean
}

/** A function as the console's API answers it (functions §8). */
export interface FunctionAnswer {
  readonly name: string
  readonly entry: string
  readonly verifyJwt: boolean
  readonly isInFolder: boolean
  readonly isPinned: boolean
  readonly version: VersionAnswer | null
}

/** The path of a function in the console's API. */
export const pathOf = (name: string, rest = ''): string => `/functions/${encodeURIComponent(name)}${rest}`

/** Who made a version. */
export const makerOf = ({ madeBy }: Pick<VersionAnswer, 'madeBy'>): string => madeBy ?? 'project folder'

/** An instant to the minute, in this machine's time. */
export const timeOf = (instant: string): string => new Date(instant).toLocaleString('sv').slice(0, 16)

/** A size for a person. */
export const sizeOf = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 ** 2
      ? `${(bytes / 1024).toFixed(1)} KiB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MiB`
