import type { Exception } from './model.ts'

/** What a rule looks at: of any exception of the chain, or of any of its frames. */
export const ruleFields = ['type', 'message', 'file'] as const
export const ruleOperators = ['is', 'contains'] as const
export const ruleActions = ['group', 'ignore'] as const

export interface RuleCondition {
  readonly field: (typeof ruleFields)[number]
  /** `contains` takes no heed of case. */
  readonly operator: (typeof ruleOperators)[number]
  readonly value: string
}

/** What a team says of some exceptions: they are one issue under the rule's name, or none at all. */
export interface Rule {
  readonly id: string
  readonly name: string
  readonly action: (typeof ruleActions)[number]
  /** All must hold; at least one. */
  readonly conditions: readonly RuleCondition[]
}

/** The first of the rules that fits; null where none does. */
export const findRule = (rules: readonly Rule[], exceptions: readonly Exception[]): Rule | null =>
  rules.find(({ conditions }) => conditions.every((condition) => holds(condition, exceptions))) ?? null

function holds({ field, operator, value }: RuleCondition, exceptions: readonly Exception[]): boolean {
  const texts = exceptions.flatMap((exception) =>
    field === 'file' ? exception.frames.flatMap(({ file }) => file ?? []) : [exception[field]],
  )
  const wanted = value.toLowerCase()
  return texts.some((text) => (operator === 'is' ? text === value : text.toLowerCase().includes(wanted)))
}

/**
 * The rules that browsers can apply by themselves, in posthog's form (analytics §3): those that ignore, and look at no
 * file, as long as no rule before them may fit as well and group.
 */
export function suppressionRules(rules: readonly Rule[]): readonly object[] {
  const firstGroup = rules.findIndex(({ action }) => action === 'group')
  const before = firstGroup < 0 ? rules : rules.slice(0, firstGroup)
  return before
    .filter(({ conditions }) => conditions.every(({ field }) => field !== 'file'))
    .map(({ conditions }) => ({
      type: 'AND',
      values: conditions.map(({ field, operator, value }) => ({
        key: field === 'type' ? '$exception_types' : '$exception_values',
        type: 'error_tracking_issue_property',
        operator: operator === 'is' ? 'exact' : 'icontains',
        value: [value],
      })),
    }))
}
