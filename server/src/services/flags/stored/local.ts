import { createHash } from 'node:crypto'
import type { FlagDefinition } from '../definition/definition.ts'
import type { Filter } from '../definition/schema.ts'
import type { Definitions } from './definitions.ts'

/**
 * The flags that a flag asks for, each behind those that it asks for itself, and the flag as the last; empty for a
 * circle, and for a flag that is not there.
 */
export function dependencyChain(key: string, flags: ReadonlyMap<string, Pick<FlagDefinition, 'filters'>>): string[] {
  const chain = new Set<string>()
  const visit = (name: string, above: readonly string[]): boolean => {
    const flag = flags.get(name)
    if (above.includes(name) || flag === undefined) return false
    if (chain.has(name)) return true
    const asked = flag.filters.groups.flatMap(({ properties = [] }) => properties.filter(({ type }) => type === 'flag'))
    if (!asked.every(({ key: other = '' }) => visit(other, [...above, name]))) return false
    chain.add(name)
    return true
  }
  return visit(key, []) ? [...chain] : []
}

/** Whether only the server can evaluate it: it asks for what no client has. */
export const isRemoteOnly = (flag: FlagDefinition): boolean =>
  flag.keepsBucket ||
  Boolean(flag.filters.feature_enrollment) ||
  flag.filters.groups.some(({ properties = [] }) => properties.some(({ type }) => type === 'row'))

/**
 * Renders the definitions for local evaluation (analytics §5.3). A flag that only the server can evaluate says so by
 * `ensure_experience_continuity`, which is what makes the clients ask the server.
 *
 * @param overridden flags that have a value for single persons
 */
export function renderDefinitions(
  { flags, cohorts }: Pick<Definitions, 'flags' | 'cohorts'>,
  groupTypes: ReadonlyMap<number, string>,
  overridden: ReadonlySet<number>,
): { readonly etag: string; readonly body: string } {
  const byKey = new Map(flags.map((flag) => [flag.key, flag]))
  const renderFilter = (filter: Filter): object =>
    filter.type === 'flag'
      ? { ...filter, operator: 'flag_evaluates_to', dependency_chain: dependencyChain(filter.key ?? '', byKey) }
      : filter
  const answer = {
    flags: flags.map((flag) => ({
      id: flag.id,
      key: flag.key,
      name: flag.description,
      active: flag.active,
      deleted: false,
      filters: {
        ...flag.filters,
        groups: flag.filters.groups.map((group) => ({
          ...group,
          properties: (group.properties ?? []).map(renderFilter),
        })),
      },
      ensure_experience_continuity: isRemoteOnly(flag) || overridden.has(flag.id),
      bucketing_identifier: flag.bucketing,
      version: flag.version,
      has_experiment: flag.hasExperiment,
      evaluation_contexts: flag.contexts,
      evaluation_runtime: flag.runtime,
    })),
    group_type_mapping: Object.fromEntries(groupTypes),
    cohorts: Object.fromEntries(cohorts.flatMap(({ id, filters }) => (filters === null ? [] : [[id, filters]]))),
  }
  const body = JSON.stringify(answer)
  return { etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`, body }
}
