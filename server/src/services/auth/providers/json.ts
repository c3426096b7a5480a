import type { Metadata } from '../model/user.ts'

/** Reads a text or a number of a provider's answer, `textAt(user, 'kakao_account', 'email')`; empty when it is not there. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = valueAt(value, ...path)
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : ''
}

/** Whether a provider says yes: `true`, or the word, as some write it. */
export function flagAt(value: unknown, ...path: readonly (string | number)[]): boolean {
  const found = valueAt(value, ...path)
  return found === true || found === 'true'
}

/** A list of a provider's answer; empty when it is not there. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Whatever is at a path of a provider's answer; only what the answer itself holds. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Readonly<Record<string | number, unknown>>)[step]
  }
  return found
}

/** The fields of an object but some. */
export function fieldsExcept(value: unknown, names: readonly string[]): Metadata {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}
