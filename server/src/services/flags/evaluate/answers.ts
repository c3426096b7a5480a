import type { EvaluatedFlag, FlagReasonCode, FlagValue } from '../../../ground/flags/flags.ts'
import { isObject } from '../../../ground/json/object.ts'
import type { FlagDefinition } from '../definition/definition.ts'

/** What may come of a flag: the codes of the protocol, and what it has no code of its own for. */
type Finding = FlagReasonCode | 'set_for_person' | 'unreadable_row'

/** What callers are told of each. */
const words: Readonly<Record<Finding, readonly [code: FlagReasonCode, description: string]>> = {
  condition_match: ['condition_match', 'Matched condition set'],
  no_condition_match: ['no_condition_match', 'No matching condition set'],
  out_of_rollout_bound: ['out_of_rollout_bound', 'Out of rollout bound'],
  no_group_type: ['no_group_type', 'No group type'],
  super_condition_value: ['super_condition_value', 'Super condition value'],
  set_for_person: ['super_condition_value', 'Set for this person'],
  holdout_condition_value: ['holdout_condition_value', 'Holdout condition value'],
  flag_disabled: ['flag_disabled', 'Feature flag is disabled'],
  missing_dependency: ['missing_dependency', 'A flag it depends on is missing, or depends on it'],
  unreadable_row: ['no_condition_match', 'A row could not be read'],
}

/** A flag with what it came to, as callers are answered. */
export type Answer = (value: FlagValue, finding: Finding, conditionIndex?: number | null) => EvaluatedFlag

/** One object for one outcome, as long as the definition stays: what is rendered of it can be kept. */
export function prepareAnswer(definition: FlagDefinition): Answer {
  const known: Partial<Record<Finding, Map<FlagValue, EvaluatedFlag>[]>> = {}
  return (value, finding, conditionIndex = null) => {
    known[finding] ??= []
    const places = known[finding]
    const place = (conditionIndex ?? -1) + 1
    places[place] ??= new Map()
    const answers = places[place]
    const before = answers.get(value)
    if (before !== undefined) return before
    const answer = describe(definition, value, finding, conditionIndex)
    answers.set(value, answer)
    return answer
  }
}

function describe(
  { id, key, version, description, hasExperiment, filters }: FlagDefinition,
  value: FlagValue,
  finding: Finding,
  conditionIndex: number | null,
): EvaluatedFlag {
  const [code, text] = words[finding]
  const place = finding === 'condition_match' ? ` ${(conditionIndex ?? 0) + 1}` : ''
  const payloadKey = value === true ? 'true' : value
  const payloads = isObject(filters.payloads) ? filters.payloads : {}
  const payload = payloadKey !== false && Object.hasOwn(payloads, payloadKey) ? payloads[payloadKey] : undefined
  return {
    ...{ id, key, version, description, hasExperiment, value },
    reason: { code, conditionIndex, description: text + place },
    failed: finding === 'unreadable_row',
    payload: payload ?? null,
  }
}
