import { parse as parseArray } from 'postgres-array'
import type { ColumnFacts } from './facts.ts'

/** A value as PostgreSQL's `to_jsonb` writes it, from its text form; the digits of numbers stay as they are. */
export function jsonText(
  column: Pick<ColumnFacts, 'baseType' | 'category' | 'elementType'>,
  value: string | null,
): string {
  if (value === null) return 'null'
  if (column.category === 'A' && column.elementType !== null) return arrayText(column.elementType, value)
  return scalarText(column.baseType, value)
}

const numberTypes: ReadonlySet<string> = new Set(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric'])

function scalarText(type: string, value: string): string {
  if (numberTypes.has(type)) return value === '-0' ? '0' : /^-?\d/.test(value) ? value : JSON.stringify(value)
  switch (type) {
    case 'bool':
      return value === 't' ? 'true' : 'false'
    case 'json':
    case 'jsonb':
      return value
    case 'timestamp':
      return JSON.stringify(value.replace(' ', 'T'))
    case 'timestamptz':
      return JSON.stringify(value.replace(' ', 'T').replace(/([+-]\d\d)(?= BC$|$)/, '$1:00'))
    default:
      return JSON.stringify(value)
  }
}

/** An array of any number of dimensions, with bounds of its own left out as `to_jsonb` does. */
function arrayText(elementType: string, value: string): string {
  const text = (part: unknown): string =>
    Array.isArray(part) ? `[${part.map(text).join(',')}]` : part === null ? 'null' : String(part)
  return text(parseArray(value.replace(/^[^{]*=/, ''), (element) => scalarText(elementType, element)))
}
