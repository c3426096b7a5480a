import { RE2JS } from 're2js'

/** Longer patterns match nothing. */
const longestPattern = 500
/** Longer texts match nothing: the time of a match grows with pattern and text, and with no power of either. */
const longestText = 4_000

/**
 * A search for a regular expression, in RE2's syntax: its time grows with the text, whatever the pattern. Null for a
 * pattern that is none.
 */
export function readPattern(value: unknown): ((text: string) => boolean) | null {
  const source = String(value)
  if (source.length > longestPattern) return null
  try {
    const pattern = RE2JS.compile(source)
    return (text) => text.length <= longestText && pattern.test(text)
  } catch {
    return null
  }
}
