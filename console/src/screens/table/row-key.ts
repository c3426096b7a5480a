import type { Values } from '../../lib/api/schemas.ts'

/** Reads a row's key from its link; nothing when it is no flat object of texts. */
export function readKey(json: string | undefined): Values | undefined {
  if (json === undefined) return undefined
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const pairs = Object.entries(value)
    if (pairs.length === 0) return undefined
    return Object.fromEntries(pairs.map(([column, part]) => [column, part === null ? null : String(part)]))
  } catch {
    return undefined
  }
}

/** A row's name: its key's values. */
export function keyText(key: Values): string {
  return Object.values(key)
    .map((value) => value ?? 'null')
    .join(', ')
}
