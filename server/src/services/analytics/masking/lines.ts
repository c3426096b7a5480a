import type { RewriteRow } from '../../../engines/spool/index.ts'
import { type JsonObject, objectOf } from '../../../ground/json/object.ts'
import { createMaskAddresses } from '../../../ground/privacy/addresses.ts'
import { type MaskList, maskedText } from '../../../ground/privacy/masks.ts'
import { createMayName, maskProperties } from '../../../ground/privacy/properties.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import { eventColumns } from '../event/event-line.ts'

/** Columns of events that hold a property's value, and its name. */
export const propertyColumns = {
  current_url: '$current_url',
  pathname: '$pathname',
  host: '$host',
  referring_domain: '$referring_domain',
  browser: '$browser',
  os: '$os',
  device_type: '$device_type',
  lib: '$lib',
  elements_chain: '$elements_chain',
} as const

/** Properties that hold what another one says: the chain of an element its text, positions the addresses of their pages. */
const holders = { $el_text: '$elements_chain', $current_url: '$heatmap_data' } as const

/** Names as they are masked. */
export const maskedNames = ({ properties }: MaskList): readonly string[] => [
  ...properties,
  ...Object.entries(holders).flatMap(([name, holder]) => (properties.includes(name) ? [holder] : [])),
]

const placeOf = (column: (typeof eventColumns)[number]): number => eventColumns.indexOf(column)
const columnPlaces = Object.entries(propertyColumns).map(
  ([column, name]) => [placeOf(column as keyof typeof propertyColumns), name] as const,
)

/**
 * How rows of JSON are rewritten: what they hold by `rewrite`, where `concerns` says that they may hold it, and parameters
 * of addresses in all of a row.
 */
function rewriting(
  names: readonly string[],
  rewrite: (value: unknown) => unknown,
  concerns: (row: string) => boolean = createMayName(names),
): RewriteRow | null {
  if (names.length === 0) return null
  const maskAddresses = createMaskAddresses(names)
  return (row) => maskAddresses(concerns(row) ? stringifyWellFormed(rewrite(JSON.parse(row))) : row)
}

/** How lines of `events` are masked. */
export function rewriteEvents(list: MaskList): RewriteRow | null {
  const names = maskedNames(list)
  const known = new Set(names)
  // Columns have what their properties had, without their names.
  const columns = columnPlaces.filter(([, name]) => known.has(name)).map(([place]) => place)
  const last = placeOf('properties')
  const rewrite = (line: unknown): unknown => {
    // Rendered by `renderEventLine`.
    const values = [...(line as unknown[])]
    for (const place of columns) if (values[place] !== '') values[place] = maskedText
    values[last] = maskProperties(objectOf(values[last]) ?? {}, known)
    return values
  }
  return rewriting(names, rewrite, columns.length > 0 ? () => true : createMayName(names))
}

/** How changes of persons, and of groups, are masked. */
export function rewritePeople(list: MaskList): RewriteRow | null {
  const names = new Set(list.properties)
  return rewriting(list.properties, (line) => {
    // Rendered by `renderChange` or `renderGroupChange`.
    const change = line as JsonObject
    const masked = (name: 'set' | 'setOnce'): JsonObject => {
      const properties = objectOf(change[name])
      return properties === null ? {} : { [name]: maskProperties(properties, names) }
    }
    return { ...change, ...masked('set'), ...masked('setOnce') }
  })
}

const exceptionFacts = { url: '$current_url', browser: '$browser', os: '$os' } as const

/** How records of exceptions are masked: errors are grouped by their own properties, which no mask may name. */
export function rewriteExceptions(list: MaskList): RewriteRow | null {
  const masked = Object.entries(exceptionFacts).filter(([, name]) => list.properties.includes(name))
  const facts = Object.fromEntries(masked.map(([fact]) => [fact, maskedText]))
  // Rendered by `renderExceptionLine`.
  return rewriting(
    list.properties,
    (record) => ({ ...(record as JsonObject), ...facts }),
    () => masked.length > 0,
  )
}
