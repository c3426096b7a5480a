import type { CaptureSetting } from '../../lib/api/schemas.ts'

/** A value as it is typed: an item of a list a line. */
export function draftOf(json: string): string {
  const value: unknown = JSON.parse(json)
  return Array.isArray(value) ? value.join('\n') : String(value)
}

/** What was typed, as the server reads it; null, which is the default, for nothing. */
export function sentOf(kind: CaptureSetting['form']['kind'], draft: string): string | null {
  if (kind !== 'list') return draft.trim() || null
  return JSON.stringify(linesOf(draft))
}

/** The items of a list that is typed. */
export const linesOf = (draft: string): readonly string[] =>
  draft
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A value in words; a list has a line for each item. */
export function shownLines(json: string, unit: string | null): readonly string[] {
  const value: unknown = JSON.parse(json)
  if (Array.isArray(value)) return value.length === 0 ? ['none'] : value.map(String)
  if (typeof value === 'boolean') return [value ? 'on' : 'off']
  if (value === '') return ['none']
  return [unit === null ? String(value) : `${value} ${unit}`]
}

/**
 * Why a browser would stumble over a CSS selector; undefined where it would not. The server knows no CSS, and a recorder
 * that cannot read its selector records nothing.
 */
export function selectorProblem(name: string, text: string): string | undefined {
  if (!name.endsWith('_selector') || text.trim() === '') return undefined
  try {
    document.createDocumentFragment().querySelector(text)
    return undefined
  } catch {
    return 'This is not a CSS selector.'
  }
}
