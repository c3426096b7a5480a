import { Value } from 'typebox/value'
import { readRowTarget } from '../definition/definition.ts'
import { type CohortGroup, Filter, type FlagFilters, isCohortGroup } from '../definition/schema.ts'
import { isOperator, prepareFilter } from './operators.ts'

const longestValue = 4_096
const mostValues = 1_000

const isScalar = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= longestValue

const isValue = (value: unknown): boolean =>
  isScalar(value) || (Array.isArray(value) && value.length <= mostValues && value.every(isScalar))

/** What is wrong with a filter on a property or a column, in words; null for nothing. */
function findValueProblem(name: string, { operator, value }: Filter): string | null {
  const used = operator ?? 'exact'
  if (!isOperator(used)) return `${used} is no operator`
  if (['is_set', 'is_not_set'].includes(used)) return null
  if (!isValue(value)) return `the value of ${name} is no text, number or boolean, or too long`
  return prepareFilter(name, used, value) === null ? `${used} cannot use ${JSON.stringify(value)}` : null
}

/** What is wrong with a filter, in words; null for nothing. */
function findFilterProblem(filter: Filter): string | null {
  const { type = 'person', key = '' } = filter
  switch (type) {
    case 'cohort':
      if (!/^\d{1,15}$/.test(String(filter.value))) return 'a cohort is named by its id'
      return ['in', 'not_in', 'exact'].includes(filter.operator ?? 'in') ? null : 'a cohort knows in and not_in'
    case 'flag':
      if (key === '') return 'a filter on a flag names its key'
      return ['boolean', 'string'].includes(typeof filter.value) ? null : 'a flag is true, false or a variant'
    case 'row': {
      const { table = '', column = '', match = '' } = filter
      if (column === '' || readRowTarget(table, match) === null) return 'a row needs table, column and match'
      return findValueProblem(column, filter)
    }
    case 'person':
    case 'group':
      return key === '' ? 'a filter names its property' : findValueProblem(key, filter)
    default:
      return type satisfies never
  }
}

function findPayloadProblem({ payloads = {}, multivariate }: FlagFilters): string | null {
  const keys = new Set(['true', ...(multivariate?.variants ?? []).map(({ key }) => key)])
  for (const [key, text] of Object.entries(payloads)) {
    if (!keys.has(key)) return `there is no variant ${key} for its payload`
    try {
      JSON.parse(text)
    } catch {
      return `the payload of ${key} is not JSON`
    }
  }
  return null
}

/** What is wrong with a flag's filters beyond their form, in words; null for nothing. */
export function findProblem(filters: FlagFilters): string | null {
  const variants = filters.multivariate?.variants ?? []
  if (new Set(variants.map(({ key }) => key)).size < variants.length) return 'two variants have one key'
  const sum = variants.reduce((total, { rollout_percentage: share }) => total + share, 0)
  // Shares such as 33.33 and 66.67 make a little more or less than 100 in binary.
  if (sum > 100.001) return 'the variants share more than 100 %'
  for (const { properties = [], variant } of filters.groups) {
    if (variant && !variants.some(({ key }) => key === variant)) return `there is no variant ${variant}`
    for (const filter of properties) {
      const problem = findFilterProblem(filter)
      if (problem !== null) return problem
    }
  }
  return findPayloadProblem(filters)
}

const deepestCohort = 10

/** What is wrong with a cohort's filters, in words; null for nothing. */
export function findCohortProblem({ type = 'AND', values = [] }: CohortGroup, depth = 1): string | null {
  if (depth > deepestCohort) return 'its groups nest too deep'
  if (type !== 'AND' && type !== 'OR') return 'a group joins by AND or OR'
  if (!Array.isArray(values) || values.length > 100) return 'a group has up to 100 members'
  for (const value of values) {
    const problem = isCohortGroup(value) ? findCohortProblem(value, depth + 1) : findMemberProblem(value)
    if (problem !== null) return problem
  }
  return null
}

function findMemberProblem(value: Filter): string | null {
  if (!Value.Check(Filter, value)) return 'a filter has not the form of a filter'
  if (value.type === 'row' || value.type === 'flag') return 'a cohort is made of properties and other cohorts'
  return findFilterProblem(value)
}
