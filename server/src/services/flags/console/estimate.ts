import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EvaluatedFlag, FlagReasonCode, FlagValue } from '../../../ground/flags/flags.ts'
import type { StoredPerson } from '../../../ground/model/person.ts'
import { createEvaluation } from '../evaluate/evaluate.ts'
import type { Prepared, PreparedFlag } from '../evaluate/prepare.ts'
import type { FlagsDeps } from '../flags.ts'
import { type Dependence, findDependence } from './depends.ts'
import type { Estimate } from './schemas.ts'
import { groupSubjects, type NamedSubject, personSubjects } from './subjects.ts'

/** Persons or groups that are evaluated before other work has its turn. */
const atOnce = 100
/** Of those who get it, so many are named. */
const mostNamed = 20

export type EstimateDeps = Pick<FlagsDeps, 'sql' | 'reader' | 'people' | 'groups' | 'now' | 'settings' | 'log'>

/** Those who are asked for, a piece at a time. */
interface Asked {
  readonly size: number
  piece(from: number, to: number): Promise<readonly NamedSubject[]>
}

/**
 * Counts what a flag comes to for stored persons, or groups of its type, until its time is over.
 *
 * @returns of a flag whose type of groups has no group: nothing was asked for
 */
export async function estimate(deps: EstimateDeps, key: string, prepared: Prepared): Promise<Estimate> {
  const flag = prepared.flags.get(key)
  const counted = { asked: 0, on: 0, unknown: 0, some: [] as string[] }
  const variants = new Map<string, number>()
  if (flag === undefined) return { groupType: null, ...counted, variants: {} }
  const groupTypes = await deps.groups.types()
  const { groupTypeIndex } = flag
  const groupType = groupTypeIndex === null ? null : (groupTypes.get(groupTypeIndex) ?? null)
  const { targets, onOthers } = findDependence(flag, groupTypeIndex, prepared)
  const asked =
    groupTypeIndex === null ? await askedPersons(deps, prepared, targets) : await askedGroups(deps, groupType)

  const until = performance.now() + deps.settings.estimateMs
  const evaluated = { groupTypes, nowMs: deps.now().getTime() }
  for (let from = 0; from < asked.size && (from === 0 || performance.now() < until); from += atOnce) {
    for (const { name, subject } of await asked.piece(from, from + atOnce)) {
      const value = knownValue(flag, onOthers, createEvaluation(prepared, subject, evaluated)(key))
      counted.asked += 1
      if (value === null) counted.unknown += 1
      else if (value !== false) {
        counted.on += 1
        if (counted.some.length < mostNamed) counted.some.push(name)
      }
      if (typeof value === 'string') variants.set(value, (variants.get(value) ?? 0) + 1)
    }
    await nextTurn()
  }
  return { groupType, ...counted, variants: Object.fromEntries(variants) }
}

/** What decides before conditions are asked. */
const decidedFirst: readonly FlagReasonCode[] = ['flag_disabled', 'super_condition_value', 'holdout_condition_value']

/** What was found, where nothing of what is not known could have changed it; else null. */
function knownValue(
  { definition }: PreparedFlag,
  onOthers: Dependence['onOthers'],
  outcome: EvaluatedFlag | null,
): FlagValue | null {
  if (outcome === null || outcome.failed) return null
  if (decidedFirst.includes(outcome.reason.code) || onOthers === 'nothing') return outcome.value
  // A condition of others might hold, and where the first that fits ends it, might end it earlier.
  return onOthers === 'a condition' && !definition.filters.early_exit && outcome.value !== false ? outcome.value : null
}

async function askedPersons(deps: EstimateDeps, prepared: Prepared, targets: ReadonlySet<string>): Promise<Asked> {
  const persons: readonly StoredPerson[] = await deps.people.some(deps.settings.estimatedPersons)
  return {
    size: persons.length,
    piece: (from, to) => personSubjects(deps, persons.slice(from, to), prepared, targets),
  }
}

async function askedGroups({ groups, settings }: EstimateDeps, type: string | null): Promise<Asked> {
  const some = type === null ? [] : await groups.some(type, settings.estimatedPersons)
  return { size: some.length, piece: async (from, to) => groupSubjects(type ?? '', some.slice(from, to)) }
}
