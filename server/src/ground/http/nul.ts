/**
 * Whether there is a NUL character in a part of a request: its parameters, its query, its body. Neither engine keeps one in
 * text, so nothing is found by it, and a statement that asks for it fails.
 *
 * A parameter may be JSON itself, and write it as JSON does.
 */
export const hasNul = (...parts: readonly unknown[]): boolean => JSON.stringify(parts).includes('\\u0000')

/** As JSON writes half of a surrogate pair; a backslash before it is one of a text. */
const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/

/** Whether half of a surrogate pair is in a part of a request: jsonb refuses one, and text loses it. */
export function hasLoneSurrogate(...parts: readonly unknown[]): boolean {
  const json = JSON.stringify(parts)
  return json.includes('\\ud') && loneSurrogate.test(json)
}
