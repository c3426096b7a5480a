import type { EvaluatedFlag, FlagReason, FlagReasonCode, FlagValue } from '../../../ground/flags/flags.ts'
import { isObject, type JsonObject } from '../../../ground/json/object.ts'
import { type BucketHash, createBucketHash } from './hash.ts'
import type { Prepared, PreparedCondition, PreparedFilter, PreparedFlag, PreparedGroup } from './prepare.ts'
import { isTrueValue } from './text.ts'

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

/** What a flag came to. */
export interface Outcome {
  readonly value: FlagValue
  readonly reason: FlagReason
  readonly failed: boolean
}

/** How evaluation asks for another flag; null for one that there is none of, or that asks for this one. */
type Dependency = (key: string) => Outcome | null

interface Evaluation {
  readonly prepared: Prepared
  readonly subject: Subject
  readonly groupTypes: ReadonlyMap<number, string>
  readonly nowMs: number
  readonly bucketHash: BucketHash
  readonly outcomeOf: Dependency
}

/** A row that could not be read: the flag's value is not known. */
class Unreadable extends Error {}
/** Another flag that is not there, or a circle of flags. */
class MissingDependency extends Error {}

const descriptions: Readonly<Record<FlagReasonCode, string>> = {
  condition_match: 'Matched condition set',
  no_condition_match: 'No matching condition set',
  out_of_rollout_bound: 'Out of rollout bound',
  no_group_type: 'No group type',
  super_condition_value: 'Super condition value',
  holdout_condition_value: 'Holdout condition value',
  flag_disabled: 'Feature flag is disabled',
  missing_dependency: 'A flag it depends on is missing, or depends on it',
}

/** Reasons by code and condition: each is one object for all flags and calls, so that what is rendered of it can be kept. */
const reasons = new Map<FlagReasonCode, FlagReason[]>()

function reasonOf(code: FlagReasonCode, conditionIndex: number | null): FlagReason {
  const known = reasons.get(code) ?? []
  reasons.set(code, known)
  const place = (conditionIndex ?? -1) + 1
  const description = code === 'condition_match' ? `${descriptions[code]} ${place}` : descriptions[code]
  known[place] ??= { code, conditionIndex, description }
  return known[place]
}

const settle = (value: FlagValue, code: FlagReasonCode, conditionIndex: number | null = null): Outcome => ({
  value,
  reason: reasonOf(code, conditionIndex),
  failed: false,
})

const setForPerson: FlagReason = {
  ...{ code: 'super_condition_value', conditionIndex: null, description: 'Set for this person' },
}
const unreadableRow: Outcome = {
  value: false,
  reason: { code: 'no_condition_match', conditionIndex: null, description: 'A row could not be read' },
  failed: true,
}

const noMatch = settle(false, 'no_condition_match')

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
): (key: string) => Outcome | null {
  const done = new Map<string, Outcome | null>()
  const bucketHash = createBucketHash()
  const outcomeOf = (key: string): Outcome | null => {
    const known = done.get(key)
    if (known !== undefined) return known
    const flag = prepared.flags.get(key)
    if (flag === undefined) return null
    // Who asks for it while it is evaluated asks in a circle.
    done.set(key, null)
    const outcome = excluded(flag)
      ? settle(false, 'flag_disabled')
      : evaluateFlag(flag, { prepared, subject, groupTypes, nowMs, bucketHash, outcomeOf })
    done.set(key, outcome)
    return outcome
  }
  return outcomeOf
}

function evaluateFlag(flag: PreparedFlag, evaluation: Evaluation): Outcome {
  const { definition } = flag
  const { subject } = evaluation
  if (!definition.active) return settle(false, 'flag_disabled')
  const override = subject.overrides.get(definition.id)
  if (override !== undefined) return { value: override, reason: setForPerson, failed: false }
  try {
    return evaluateConditions(flag, evaluation)
  } catch (error) {
    if (error instanceof MissingDependency) return settle(false, 'missing_dependency')
    if (error instanceof Unreadable) return unreadableRow
    throw error
  }
}

/** What a flag, or one of its conditions, is about: the bucket and the properties of a person or a group. */
interface About {
  readonly bucket: string
  readonly properties: JsonObject
}

function aboutPerson({ definition }: PreparedFlag, { subject }: Evaluation): About {
  // A bucket from a time when the flag kept them decides nothing any more.
  const kept = definition.keepsBucket ? subject.buckets.get(definition.id) : undefined
  const own = definition.bucketing === 'device_id' ? (subject.deviceId ?? subject.distinctId) : subject.distinctId
  return { bucket: kept ?? own, properties: subject.personProperties }
}

function aboutGroup(index: number, { groupTypes, subject }: Evaluation): About | null {
  const type = groupTypes.get(index)
  if (type === undefined || !Object.hasOwn(subject.groups, type)) return null
  const properties = Object.hasOwn(subject.groupProperties, type) ? subject.groupProperties[type] : undefined
  return { bucket: subject.groups[type] ?? '', properties: properties ?? {} }
}

function evaluateConditions(flag: PreparedFlag, evaluation: Evaluation): Outcome {
  const { definition, conditions, groupTypeIndex } = flag
  const about = groupTypeIndex === null ? aboutPerson(flag, evaluation) : aboutGroup(groupTypeIndex, evaluation)
  if (about === null) return settle(false, 'no_group_type')
  const enrolled = evaluateEnrollment(flag, about)
  if (enrolled !== null) return enrolled
  const heldOut = findHoldout(flag, about.bucket, evaluation)
  if (heldOut !== null) return settle(heldOut, 'holdout_condition_value')

  let best = noMatch
  for (const [index, condition] of conditions.entries()) {
    const { groupTypeIndex: own } = condition
    const isMixed = own !== undefined && own !== groupTypeIndex && own !== null
    const asked = isMixed ? aboutGroup(own, evaluation) : about
    if (asked === null) {
      if (best.reason.code === 'no_condition_match') best = settle(false, 'no_group_type', index)
      continue
    }
    if (!condition.filters.every((filter) => passes(filter, asked.properties, evaluation))) continue
    // A place is not asked for where every one is in.
    if (condition.rollout >= 1 || evaluation.bucketHash(definition.key, asked.bucket) <= condition.rollout)
      return settle(chooseValue(flag, condition, asked.bucket, evaluation), 'condition_match', index)
    best = settle(false, 'out_of_rollout_bound', index)
    if (definition.filters.early_exit) return best
  }
  return best
}

/** What the person chose for themselves: above the conditions. */
function evaluateEnrollment({ enrollment }: PreparedFlag, { properties }: About): Outcome | null {
  if (enrollment === null || !Object.hasOwn(properties, enrollment)) return null
  return settle(isTrueValue(properties[enrollment]), 'super_condition_value', 0)
}

function findHoldout(
  { definition }: PreparedFlag,
  bucket: string,
  { bucketHash }: Pick<Evaluation, 'bucketHash'>,
): string | null {
  const { holdout } = definition.filters
  if (!holdout) return null
  const share = holdout.exclusion_percentage
  const isHeld = share === 100 || bucketHash('holdout', bucket, '', '-') <= share / 100
  return isHeld ? `holdout-${holdout.id}` : null
}

function chooseValue(
  { definition, variants }: PreparedFlag,
  condition: PreparedCondition,
  bucket: string,
  { bucketHash }: Pick<Evaluation, 'bucketHash'>,
): FlagValue {
  if (condition.variant && variants.some(({ key }) => key === condition.variant)) return condition.variant
  if (variants.length === 0) return true
  const hash = bucketHash(definition.key, bucket, 'variant')
  return variants.find(({ from, to }) => hash >= from && hash < to)?.key ?? true
}

function passes(filter: PreparedFilter, properties: JsonObject, evaluation: Evaluation): boolean {
  switch (filter.kind) {
    case 'properties':
      return filter.passes(properties, evaluation.nowMs) !== filter.negated
    case 'cohort':
      return isInCohort(filter.cohortId, properties, evaluation, new Set()) !== filter.negated
    case 'flag':
      return hasValue(filter, evaluation.outcomeOf) !== filter.negated
    case 'row': {
      const row = evaluation.subject.rows.get(filter.target)
      if (row === undefined) throw new Unreadable()
      // Without a row there is nothing to compare: the condition does not hold, whatever its operator.
      return row !== null && filter.passes(row, evaluation.nowMs) !== filter.negated
    }
    case 'unusable':
      return false
    default:
      return filter satisfies never
  }
}

/** `true` is any value that is not off; a text is one variant. */
function hasValue({ key, value: wanted }: PreparedFilter & { kind: 'flag' }, outcomeOf: Dependency): boolean {
  const outcome = outcomeOf(key)
  if (outcome === null || outcome.reason.code === 'missing_dependency') throw new MissingDependency()
  if (outcome.failed) throw new Unreadable()
  return typeof wanted === 'boolean' ? (outcome.value !== false) === wanted : outcome.value === wanted
}

/** @param above cohorts that asked for this one: one that asks for itself is empty */
function isInCohort(id: number, properties: JsonObject, evaluation: Evaluation, above: ReadonlySet<number>): boolean {
  const cohort = evaluation.prepared.cohorts.get(id)
  if (cohort === undefined || above.has(id)) return false
  if (cohort === null) return evaluation.subject.cohorts.has(id)
  return isInGroup(cohort, properties, evaluation, new Set([...above, id]))
}

function isInGroup(
  { any, members }: PreparedGroup,
  properties: JsonObject,
  evaluation: Evaluation,
  above: ReadonlySet<number>,
): boolean {
  const fits = (member: PreparedGroup | PreparedFilter): boolean => {
    if ('members' in member) return isInGroup(member, properties, evaluation, above)
    if (member.kind === 'cohort') return isInCohort(member.cohortId, properties, evaluation, above) !== member.negated
    return passes(member, properties, evaluation)
  }
  return any ? members.some(fits) : members.every(fits)
}

/** Answers that were made of a flag before, by reason and value: a flag comes to few. */
const answers = new WeakMap<PreparedFlag, Map<FlagReason, Map<FlagValue, EvaluatedFlag>>>()

/** A flag with what it came to, as callers are answered: one object for one outcome, as long as the definition stays. */
export function describeOutcome(flag: PreparedFlag, outcome: Outcome): EvaluatedFlag {
  const ofFlag = answers.get(flag) ?? new Map<FlagReason, Map<FlagValue, EvaluatedFlag>>()
  const ofReason = ofFlag.get(outcome.reason) ?? new Map<FlagValue, EvaluatedFlag>()
  const known = ofReason.get(outcome.value)
  if (known !== undefined) return known
  const answer = answerOf(flag, outcome)
  answers.set(flag, ofFlag.set(outcome.reason, ofReason.set(outcome.value, answer)))
  return answer
}

function answerOf({ definition }: PreparedFlag, { value, reason, failed }: Outcome): EvaluatedFlag {
  const { id, key, version, description, hasExperiment, filters } = definition
  const payloadKey = value === true ? 'true' : value
  const payloads = isObject(filters.payloads) ? filters.payloads : {}
  const payload = payloadKey !== false && Object.hasOwn(payloads, payloadKey) ? payloads[payloadKey] : undefined
  return { id, key, version, description, hasExperiment, value, reason, failed, payload: payload ?? null }
}
