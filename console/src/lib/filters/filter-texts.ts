import type { FlagFilters } from '../../lib/api/schemas.ts'

/** One condition of a flag. */
export type Condition = FlagFilters['groups'][number]

/** One filter of a condition. */
export type ConditionFilter = NonNullable<Condition['properties']>[number]

/** What a filter looks at. */
export type FilterType = NonNullable<ConditionFilter['type']>

/** What a filter may look at, in words. */
export const filterTypes: readonly { readonly value: FilterType; readonly label: string }[] = [
  { value: 'person', label: 'Person' },
  { value: 'cohort', label: 'Cohort' },
  { value: 'flag', label: 'Flag' },
  { value: 'row', label: 'Row' },
  { value: 'group', label: 'Group' },
]

/** The operators on properties and columns, in words. */
export const operators: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'exact', label: 'is' },
  { value: 'is_not', label: 'is not' },
  { value: 'icontains', label: 'contains' },
  { value: 'not_icontains', label: 'does not contain' },
  { value: 'starts_with', label: 'starts with' },
  { value: 'not_starts_with', label: 'does not start with' },
  { value: 'ends_with', label: 'ends with' },
  { value: 'not_ends_with', label: 'does not end with' },
  { value: 'regex', label: 'matches' },
  { value: 'not_regex', label: 'does not match' },
  { value: 'is_set', label: 'is set' },
  { value: 'is_not_set', label: 'is not set' },
  { value: 'gt', label: 'is more than' },
  { value: 'gte', label: 'is at least' },
  { value: 'lt', label: 'is less than' },
  { value: 'lte', label: 'is at most' },
  { value: 'is_date_before', label: 'is before' },
  { value: 'is_date_after', label: 'is after' },
  { value: 'is_date_exact', label: 'is at' },
  { value: 'semver_eq', label: 'is version' },
  { value: 'semver_neq', label: 'is not version' },
  { value: 'semver_gt', label: 'is later than version' },
  { value: 'semver_gte', label: 'is version or later' },
  { value: 'semver_lt', label: 'is before version' },
  { value: 'semver_lte', label: 'is version or earlier' },
  { value: 'semver_tilde', label: 'is ~ version' },
  { value: 'semver_caret', label: 'is ^ version' },
  { value: 'semver_wildcard', label: 'is version like' },
]

const listed = ['exact', 'is_not', 'icontains_multi', 'not_icontains_multi']

/** Whether an operator compares with a value. */
export const takesValue = (operator: string): boolean => operator !== 'is_set' && operator !== 'is_not_set'

/** A filter's value as it is typed: lists with commas. */
export const valueText = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(', ') : value === undefined || value === null ? '' : String(value)

/** What was typed as a value: a list where the operator takes one and there is a comma. */
export function readValue(text: string, operator: string): string | readonly string[] {
  if (!listed.includes(operator) || !text.includes(',')) return text
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** A filter as it begins when its type is chosen. */
export function newFilter(type: FilterType): ConditionFilter {
  switch (type) {
    case 'cohort':
      return { type, key: 'id', value: '', operator: 'in' }
    case 'flag':
      return { type, key: '', value: true, operator: 'flag_evaluates_to' }
    case 'row':
      return { type, table: '', match: 'user_id', column: '', operator: 'exact', value: '' }
    case 'group':
      return { type, key: '', operator: 'exact', value: '', group_type_index: 0 }
    case 'person':
      return { type, key: '', operator: 'exact', value: '' }
    default:
      return type satisfies never
  }
}
