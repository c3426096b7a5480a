/** How one engine is, as `clew status` and the console show it. */
export interface EngineHealth {
  readonly name: string
  /**
   * `degraded` serves, but something is missing that will not come back by itself; `off` is not available here, and
   * everything else works without it. Neither keeps the instance from being ready.
   */
  readonly state: 'up' | 'starting' | 'down' | 'degraded' | 'off'
  /** One sentence for a person: version and where, or what is wrong and how to repair it. */
  readonly detail: string
  /** The child process, when the engine is embedded. */
  readonly pid: number | null
}

/** Whether an instance may be given requests while one of its engines is so. */
export const isReady = ({ state }: Pick<EngineHealth, 'state'>): boolean => state !== 'starting' && state !== 'down'

/** Room on the disk of the data directory, as it was last looked at. */
export interface DiskSpace {
  readonly freeBytes: () => number
  readonly totalBytes: () => number
  /** Whether so little is free that nothing is to be taken in which can come later. */
  readonly isShort: () => boolean
}
