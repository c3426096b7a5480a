/** How one engine is, as `/health/ready`, `clew status` and the console show it. */
export interface EngineHealth {
  readonly name: string
  readonly state: 'up' | 'starting' | 'down'
  /** One sentence for a person: version and where, or what is wrong and how to mend it. */
  readonly detail: string
  /** The child process, when the engine is embedded. */
  readonly pid: number | null
}
