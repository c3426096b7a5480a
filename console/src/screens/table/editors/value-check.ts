import type { Column } from '../../../lib/api/schemas.ts'

/** How values of a column are typed in. */
export type EditorKind = 'text' | 'lines' | 'number' | 'boolean' | 'enum' | 'date' | 'json'

const whole = /^(smallint|integer|bigint|oid)$/
const decimal = /^(numeric|real|double precision)$/

/** Chooses the editor by the type under a column's domain. */
export function editorOf({ baseType, labels }: Pick<Column, 'baseType' | 'labels'>): EditorKind {
  if (labels !== null) return 'enum'
  if (baseType === 'boolean') return 'boolean'
  if (baseType === 'date') return 'date'
  if (baseType === 'json' || baseType === 'jsonb') return 'json'
  if (whole.test(baseType) || decimal.test(baseType)) return 'number'
  return baseType === 'text' ? 'lines' : 'text'
}

const uuid = /^\{?[0-9a-f]{4}(-?[0-9a-f]{4}){7}\}?$/i

/**
 * What is plainly wrong with a text as a value of a column, in a sentence; nothing where PostgreSQL should judge.
 *
 * @see https://www.postgresql.org/docs/current/datatype.html
 */
export function problemOf(
  { baseType, maxLength }: Pick<Column, 'baseType' | 'maxLength'>,
  text: string,
): string | null {
  if (maxLength !== null && [...text].length > maxLength) return `At most ${maxLength} characters.`
  if (whole.test(baseType) && !/^\s*[+-]?(\d[\d_]*|0x[\da-f]+|0o[0-7]+|0b[01]+)\s*$/i.test(text))
    return 'A whole number, such as 42.'
  if (
    decimal.test(baseType) &&
    !/^\s*([+-]?(\d[\d_]*\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity))\s*$/i.test(text)
  )
    return 'A number, such as 4.20.'
  if (baseType === 'uuid' && !uuid.test(text.trim())) return 'A UUID: 32 hexadecimal digits in five groups.'
  if (baseType === 'json' || baseType === 'jsonb') return jsonProblem(text)
  if (baseType.endsWith('[]') && !/^\s*(\[[\d:[\]-]+\]=)?\{[\s\S]*\}\s*$/.test(text))
    return 'An array as PostgreSQL writes it: {a,"b c",NULL}.'
  return null
}

function jsonProblem(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return error instanceof Error ? `No JSON: ${error.message}` : 'No JSON.'
  }
}

/** What an empty input means: null where there is no empty text of the type. */
export const emptyMeans = ({ baseType }: Pick<Column, 'baseType'>): string | null =>
  /^(text|character varying|character|bpchar|citext|name|bytea)$/.test(baseType) || baseType.endsWith('citext')
    ? ''
    : null
