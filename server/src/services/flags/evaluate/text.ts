import { isObject } from '../../../ground/json/object.ts'

/**
 * A JSON value as text, by the rules of JavaScript's `String`, which local evaluation uses: `[1,2]` is `1,2`. Own
 * members named `toString` are not called.
 */
export function plainText(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => (item === null ? '' : plainText(item))).join(',')
  return isObject(value) ? '[object Object]' : String(value)
}

/** The number that a JSON value is, or that its plain text begins with; NaN without one. */
export const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : Number.parseFloat(plainText(value))

/** A JSON value as the text that equality compares: texts as they are, others as JSON with sorted members. */
export const comparedText = (value: unknown): string => (typeof value === 'string' ? value : sortedJson(value))

function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${sortedJson(value[name])}`)
  return `{${members.join(',')}}`
}

/** Folds A to Z alone, as the operators on parts of a text do. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

const isTruthText = (value: unknown, ...texts: readonly string[]): boolean =>
  typeof value === 'string' && texts.includes(value.toLowerCase())

/** Whether a value is `true` or `false`, as boolean or text, or a list of such: the empty list is one. */
export const isTruthValue = (value: unknown): boolean =>
  typeof value === 'boolean' ||
  isTruthText(value, 'true', 'false') ||
  (Array.isArray(value) && value.every((item) => isTruthValue(item)))

/** Whether a value is true: `true`, its text in any case, or a list of nothing else. */
export const isTrueValue = (value: unknown): boolean =>
  value === true || isTruthText(value, 'true') || (Array.isArray(value) && value.every((item) => isTrueValue(item)))
