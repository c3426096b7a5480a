import type { AnalyticsProduct } from './product.ts'

/** What one case has to itself among all that use the product. */
export interface Scope {
  /** In each of its ids, and in no others. */
  readonly tag: string
  /** A text with the values that its marks stand for. */
  fill(text: string): string
  /** A value of the tables or of an answer, with marks again. */
  mark<Value>(value: Value): Value
  /** Its UUIDs so far. */
  uuids(): readonly string[]
}

const markForm = /~(uuid\d*|[a-z]{3}|[TKV])/g

/** The scope of the case with this number. */
export function scopeOf(number: number, { token, secretKey }: AnalyticsProduct, version: string): Scope {
  const tag = `-x${String(number).padStart(4, '0')}`
  const values = new Map([
    ['T', token],
    ['K', secretKey],
    ['V', version],
  ])
  const valueFor = (name: string): string => {
    const known = values.get(name)
    if (known !== undefined) return known
    const value = name.startsWith('uuid') ? uuidOf(number, Number(name.slice(4))) : `${name}${tag}`
    values.set(name, value)
    return value
  }
  return {
    tag,
    fill: (text) => text.replaceAll(markForm, (_, name: string) => valueFor(name)),
    mark(value) {
      let text = JSON.stringify(value)
      for (const [name, own] of values) text = text.replaceAll(own, `~${name}`)
      return JSON.parse(text)
    },
    uuids: () => [...values].flatMap(([name, value]) => (name.startsWith('uuid') ? [value] : [])),
  }
}

/** Of version 7, of a moment in January 2026. */
const uuidOf = (number: number, index: number): string =>
  `019b7c1d-2a2e-7000-8000-${String(number).padStart(8, '0')}${String(index).padStart(4, '0')}`
