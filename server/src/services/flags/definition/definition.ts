import type { CohortGroup, FlagFilters } from './schema.ts'

/** A flag as it is stored. */
export interface FlagDefinition {
  readonly id: number
  /** Its name in code. */
  readonly key: string
  readonly description: string
  readonly active: boolean
  readonly filters: FlagFilters
  /** Whether a person keeps the value that they had before they identified themselves. */
  readonly keepsBucket: boolean
  readonly bucketing: 'distinct_id' | 'device_id'
  readonly runtime: 'all' | 'client' | 'server'
  /** Where it is evaluated: calls that name contexts, and none of these, do not see it. Empty for everywhere. */
  readonly contexts: readonly string[]
  readonly hasExperiment: boolean
  /** Counts its changes, from 1. */
  readonly version: number
}

/** A set of persons: by their properties, or a list of them. */
export interface CohortDefinition {
  readonly id: number
  readonly name: string
  /** Null for a list. */
  readonly filters: CohortGroup | null
}

/** What a row condition looks into: one table, by one column. */
export interface RowTarget {
  readonly schema: string
  readonly table: string
  /** The column with the id of the user. */
  readonly match: string
}

/** The table of a row condition: `table` is in `public`. */
export function readRowTarget(table: string, match: string): RowTarget | null {
  const [first = '', second, ...others] = table.split('.')
  const names = second === undefined ? ['public', first] : [first, second]
  const [schema = '', name = ''] = names
  if (others.length > 0 || schema === '' || name === '' || match === '') return null
  return { schema, table: name, match }
}

/** Names a target in maps. */
export const rowTargetKey = ({ schema, table, match }: RowTarget): string => JSON.stringify([schema, table, match])
