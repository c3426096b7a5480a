import Type from 'typebox'
import type { Setting } from './setting.ts'

const units: readonly (readonly [ending: string, unit: string])[] = [
  ['Seconds', 's'],
  ['Ms', 'ms'],
  ['Days', 'd'],
  ['Hours', 'h'],
  ['Bytes', 'B'],
  ['Kib', 'KiB'],
  ['Mib', 'MiB'],
  ['Percentage', '%'],
]

/** What a setting's number counts: the unit at the end of its name, or the declared one; null where it is a plain count. */
export const unitOf = (name: string, { unit, schema }: Setting<unknown>): string | null => {
  const number = Type.IsUnion(schema) ? schema.anyOf[0] : schema
  if (!Type.IsInteger(number)) return null
  return unit ?? units.find(([ending]) => name.endsWith(ending))?.[1] ?? null
}
