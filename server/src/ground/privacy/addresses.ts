import { maskedText } from './masks.ts'

/**
 * A regular expression, for JavaScript and RE2 alike, of a parameter in any address of a text: what is before its value,
 * and the value. In a JSON text a value goes on over an escaped character; an escaped `&` masks too much and never too little.
 *
 * @param names not empty
 */
export function addressExpression(names: readonly string[]): string {
  return `([?&#](?:amp;)?(?:${addressForms(names).map(escaped).join('|')})=)(?:[^&#"'\\\\\\s<>]|\\\\u[0-9a-fA-F]{4})+`
}

/** Names as they stand in addresses. */
export const addressForms = (names: readonly string[]): readonly string[] => [
  ...new Set(names.flatMap((name) => [name, encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '\ufffd'))])),
]

/** A text within a regular expression of JavaScript or RE2. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Masks the values of parameters in the addresses of a text. */
export function createMaskAddresses(names: readonly string[]): (text: string) => string {
  if (names.length === 0) return (text) => text
  const expression = new RegExp(addressExpression(names), 'gi')
  return (text) => text.replace(expression, `$1${maskedText}`)
}
