import type { EvaluatedFlag, FlagValue } from '../../../ground/flags/flags.ts'
import type { JsonObject } from '../../../ground/json/object.ts'
import { bucketHash } from './hash.ts'
import type { Prepared, PreparedCondition, PreparedFilter, PreparedFlag, PreparedGroup } from './prepare.ts'
import { Properties } from './properties.ts'

/** The person and the groups that flags are evaluated for, with all that conditions may ask. */
export interface Subject {
  readonly distinctId: string
  readonly deviceId: string | null
  /** Group type to group key. */
  readonly groups: Readonly<Record<string, string>>
  readonly personProperties: JsonObject
  /** By group type. */
  readonly groupProperties: Readonly<Record<string, JsonObject>>
  /** Lists that hold the person. */
  readonly cohorts: ReadonlySet<number>
  /** Values that were set for this person, by flag id. */
  readonly overrides: ReadonlyMap<number, FlagValue>
  /** The buckets of flags that keep them, by flag id. */
  readonly buckets: ReadonlyMap<number, string>
  /** The user's row, by `rowTargetKey`: null without one, absent where it could not be read. */
  readonly rows: ReadonlyMap<string, JsonObject | null>
}

/** How evaluation asks for another flag; null for one that there is none of, or that asks for this one. */
type Dependency = (key: string) => EvaluatedFlag | null

/** The properties of a person, a group or a row, with what filters came to. */
interface Facts {
  readonly properties: Properties
  /** By the place of a filter: 1 passes, -1 does not, 0 was not asked. */
  readonly passed: Int8Array
}

interface Evaluation {
  readonly prepared: Prepared
  readonly subject: Subject
  readonly groupTypes: ReadonlyMap<number, string>
  readonly nowMs: number
  readonly person: Facts
  /** Of group types that were asked for. */
  readonly groups: Map<string, Facts>
  /** Of rows that were asked for, by `rowTargetKey`. */
  readonly rows: Map<string, Facts>
  /** Where buckets fall for holdouts: for all flags alike. */
  readonly holdouts: Map<string, number>
  readonly outcomeOf: Dependency
}

/** A row that could not be read: the flag's value is not known. */
class Unreadable extends Error {}
/** Another flag that is not there, or a circle of flags. */
class MissingDependency extends Error {}

/**
 * Evaluates flags for one subject (analytics §5.2).
 *
 * @param excluded flags that are not for this caller: to others they are off
 * @returns what a flag came to, each computed once; null for an unknown key
 */
export function createEvaluation(
  prepared: Prepared,
  subject: Subject,
  { groupTypes, nowMs }: Pick<Evaluation, 'groupTypes' | 'nowMs'>,
  excluded: (flag: PreparedFlag) => boolean = () => false,
): Dependency {
  const done = new Map<string, EvaluatedFlag | null>()
  const outcomeOf: Dependency = (key) => {
    const known = done.get(key)
    if (known !== undefined) return known
    const flag = prepared.flags.get(key)
    if (flag === undefined) return null
    // Who asks for it while it is evaluated asks in a circle.
    done.set(key, null)
    const outcome = excluded(flag) ? flag.answer(false, 'flag_disabled') : evaluateFlag(flag, evaluation)
    done.set(key, outcome)
    return outcome
  }
  const evaluation: Evaluation = {
    ...{ prepared, subject, groupTypes, nowMs, outcomeOf },
    ...{ person: factsOf(subject.personProperties, prepared), groups: new Map(), rows: new Map(), holdouts: new Map() },
  }
  return outcomeOf
}

const factsOf = (properties: JsonObject, { filters }: Prepared): Facts => ({
  properties: new Properties(properties),
  passed: new Int8Array(filters),
})

function evaluateFlag(flag: PreparedFlag, evaluation: Evaluation): EvaluatedFlag {
  const { definition, answer } = flag
  if (!definition.active) return answer(false, 'flag_disabled')
  const override = evaluation.subject.overrides.get(definition.id)
  if (override !== undefined) return answer(override, 'set_for_person')
  try {
    return evaluateConditions(flag, evaluation)
  } catch (error) {
    if (error instanceof MissingDependency) return answer(false, 'missing_dependency')
    if (error instanceof Unreadable) return answer(false, 'unreadable_row')
    throw error
  }
}

/** What a flag, or one of its conditions, is about: the bucket and the properties of a person or a group. */
interface About {
  readonly bucket: string
  readonly facts: Facts
  /** Where the bucket falls for the flag, once that was asked. */
  place?: number
}

function aboutPerson({ definition }: PreparedFlag, { subject, person }: Evaluation): About {
  // A bucket from a time when the flag kept them decides nothing any more.
  const kept = definition.keepsBucket ? subject.buckets.get(definition.id) : undefined
  const own = definition.bucketing === 'device_id' ? (subject.deviceId ?? subject.distinctId) : subject.distinctId
  return { bucket: kept ?? own, facts: person }
}

function aboutGroup(index: number, { groupTypes, subject, groups, prepared }: Evaluation): About | null {
  const type = groupTypes.get(index)
  if (type === undefined || !Object.hasOwn(subject.groups, type)) return null
  const bucket = subject.groups[type] ?? ''
  const known = groups.get(type)
  if (known !== undefined) return { bucket, facts: known }
  const properties = Object.hasOwn(subject.groupProperties, type) ? subject.groupProperties[type] : undefined
  const facts = factsOf(properties ?? {}, prepared)
  groups.set(type, facts)
  return { bucket, facts }
}

function evaluateConditions(flag: PreparedFlag, evaluation: Evaluation): EvaluatedFlag {
  const { definition, conditions, groupTypeIndex, answer } = flag
  const about = groupTypeIndex === null ? aboutPerson(flag, evaluation) : aboutGroup(groupTypeIndex, evaluation)
  if (about === null) return answer(false, 'no_group_type')
  const { enrollment } = flag
  const enrolled = enrollment === null ? null : about.facts.properties.find(enrollment)
  // What the person chose for themselves stands above the conditions.
  if (enrolled !== null) return answer(enrolled.isTrue, 'super_condition_value', 0)
  const heldOut = findHoldout(flag, about.bucket, evaluation)
  if (heldOut !== null) return answer(heldOut, 'holdout_condition_value')

  let found: Unmatched = { finding: 'no_condition_match', index: null }
  for (const condition of conditions) {
    const { index, groupTypeIndex: own } = condition
    const isMixed = own !== undefined && own !== groupTypeIndex && own !== null
    const asked = isMixed ? aboutGroup(own, evaluation) : about
    if (asked === null) {
      if (found.finding === 'no_condition_match') found = { finding: 'no_group_type', index }
      continue
    }
    if (!condition.filters.every((filter) => passes(filter, asked.facts, evaluation))) continue
    if (isRolledOut(flag, condition, asked))
      return answer(chooseValue(flag, condition, asked.bucket), 'condition_match', index)
    found = { finding: 'out_of_rollout_bound', index }
    if (definition.filters.early_exit) break
  }
  return answer(false, found.finding, found.index)
}

/** Why no condition holds, with the one that came nearest. */
interface Unmatched {
  readonly finding: 'no_condition_match' | 'no_group_type' | 'out_of_rollout_bound'
  readonly index: number | null
}

function isRolledOut({ definition }: PreparedFlag, { rollout }: PreparedCondition, about: About): boolean {
  // A place is not asked for where every one is in.
  if (rollout >= 1) return true
  about.place ??= bucketHash(definition.key, about.bucket)
  return about.place <= rollout
}

function findHoldout({ definition }: PreparedFlag, bucket: string, { holdouts }: Evaluation): string | null {
  const { holdout } = definition.filters
  if (!holdout) return null
  const share = holdout.exclusion_percentage
  if (share === 100) return `holdout-${holdout.id}`
  const place = holdouts.get(bucket) ?? bucketHash('holdout', bucket, '', '-')
  holdouts.set(bucket, place)
  return place <= share / 100 ? `holdout-${holdout.id}` : null
}

function chooseValue({ definition, variants }: PreparedFlag, condition: PreparedCondition, bucket: string): FlagValue {
  if (condition.variant !== null) return condition.variant
  if (variants.length === 0) return true
  const hash = bucketHash(definition.key, bucket, 'variant')
  return variants.find(({ from, to }) => hash >= from && hash < to)?.key ?? true
}

/** Whether a filter passes; of what it asks of properties and lists alone it is known from then on. */
function passes(filter: PreparedFilter, facts: Facts, evaluation: Evaluation): boolean {
  switch (filter.kind) {
    case 'flag':
      return hasValue(filter, evaluation.outcomeOf) !== filter.negated
    case 'row': {
      const row = rowOf(filter.target, evaluation)
      // Without a row there is nothing to compare: the condition does not hold, whatever its operator.
      return row !== null && passesOnce(filter, row, evaluation)
    }
    case 'properties':
    case 'cohort':
      return passesOnce(filter, facts, evaluation)
    case 'unusable':
      return false
    default:
      return filter satisfies never
  }
}

function passesOnce(
  filter: PreparedFilter & { kind: 'properties' | 'cohort' | 'row' },
  facts: Facts,
  evaluation: Evaluation,
): boolean {
  const { properties, passed } = facts
  const known = passed[filter.index]
  if (known !== 0) return known === 1
  const found =
    filter.kind === 'cohort'
      ? isInCohort(filter.cohortId, facts, evaluation, new Set())
      : filter.passes(properties, evaluation.nowMs)
  passed[filter.index] = found !== filter.negated ? 1 : -1
  return found !== filter.negated
}

/** @throws Unreadable */
function rowOf(target: string, { subject, rows, prepared }: Evaluation): Facts | null {
  const known = rows.get(target)
  if (known !== undefined) return known
  const row = subject.rows.get(target)
  if (row === undefined) throw new Unreadable()
  if (row === null) return null
  const facts = factsOf(row, prepared)
  rows.set(target, facts)
  return facts
}

/** `true` is any value that is not off; a text is one variant. */
function hasValue({ key, value: wanted }: PreparedFilter & { kind: 'flag' }, outcomeOf: Dependency): boolean {
  const outcome = outcomeOf(key)
  if (outcome === null || outcome.reason.code === 'missing_dependency') throw new MissingDependency()
  if (outcome.failed) throw new Unreadable()
  return typeof wanted === 'boolean' ? (outcome.value !== false) === wanted : outcome.value === wanted
}

/** @param above cohorts that asked for this one: one that asks for itself is empty */
function isInCohort(id: number, facts: Facts, evaluation: Evaluation, above: ReadonlySet<number>): boolean {
  const cohort = evaluation.prepared.cohorts.get(id)
  if (cohort === undefined || above.has(id)) return false
  if (cohort === null) return evaluation.subject.cohorts.has(id)
  return isInGroup(cohort, facts, evaluation, new Set([...above, id]))
}

function isInGroup(
  { any, members }: PreparedGroup,
  facts: Facts,
  evaluation: Evaluation,
  above: ReadonlySet<number>,
): boolean {
  const fits = (member: PreparedGroup | PreparedFilter): boolean => {
    if ('members' in member) return isInGroup(member, facts, evaluation, above)
    // Not by what is known of the filter: below itself a cohort is empty.
    if (member.kind === 'cohort') return isInCohort(member.cohortId, facts, evaluation, above) !== member.negated
    return passes(member, facts, evaluation)
  }
  return any ? members.some(fits) : members.every(fits)
}
