import type { DirectoryOptions } from '../options.ts'

export interface ListOptions extends DirectoryOptions {
  readonly json?: boolean
}

export interface RollBackOptions extends DirectoryOptions {
  readonly discard?: boolean
}

export type PruneOptions = DirectoryOptions
