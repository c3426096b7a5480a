import { operators, takesValue } from './filter-texts.ts'

/** What is asked of one property of events. */
export interface PropertyFilter {
  readonly property: string
  readonly operator: string
  /** Empty where the operator takes none. */
  readonly value: string
}

const known = ['exact', 'is_not', 'icontains', 'not_icontains', 'is_set', 'is_not_set', 'gt', 'gte', 'lt', 'lte']

/** The operators that events are filtered by, in words. */
export const eventOperators = known.flatMap((name) => operators.find(({ value }) => value === name) ?? [])

/** A filter as the address and the server have it: `plan.exact.pro`; a dot in the name of the property is `%2E`. */
export function filterText({ property, operator, value }: PropertyFilter): string {
  const name = property.replaceAll('%', '%25').replaceAll('.', '%2E')
  return takesValue(operator) ? `${name}.${operator}.${value}` : `${name}.${operator}`
}

/** A filter of an address in words; what is none stands as it is. */
export function filterWords(text: string): string {
  const { property, operator, value } =
    /^(?<property>[^.]+)\.(?<operator>\w+)(?:\.(?<value>.*))?$/s.exec(text)?.groups ?? {}
  const words = eventOperators.find((one) => one.value === operator)?.label
  if (property === undefined || words === undefined) return text
  return [property.replaceAll('%2E', '.').replaceAll('%25', '%'), words, value ?? []].flat().join(' ')
}
