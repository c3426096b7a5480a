import type { Column } from '../../lib/api/schemas.ts'
import { shortType } from '../../schema/short-type.ts'

const numeric = /^(smallint|integer|bigint|numeric|decimal|real|double precision|money|oid|int[248]|float[48])/

/** Whether a column's values are numbers, which are aligned to the right. */
export function isNumeric(type: string): boolean {
  return numeric.test(type) && !type.endsWith('[]')
}

/** A value as people read it: PostgreSQL writes booleans as `t` and `f`. */
export function readableValue(type: string, value: string | null | undefined): string | null | undefined {
  if (type !== 'boolean') return value
  return value === 't' ? 'true' : value === 'f' ? 'false' : value
}

/** What a new row gets where nothing is said: its default's expression, null, or that a value must be given. */
export function absentText({ default: expression, identity, generated, nullable }: Column): string {
  if (generated) return 'computed by PostgreSQL'
  if (identity !== null) return 'next number'
  return expression ?? (nullable ? 'null' : 'required')
}

/** A column's width in pixels, by its type and its name. */
export function widthOf({ name, type, references }: Column): number {
  const heading = name.length * 7.4 + shortType(type).length * 6.8 + 44
  const content =
    type === 'uuid' ? 288 : type.startsWith('timestamp') ? 236 : isNumeric(type) ? 96 : type === 'boolean' ? 80 : 220
  return Math.round(Math.min(360, Math.max(heading, content + (references ? 20 : 0))))
}
