/**
 * Whether there is a NUL character in a part of a request: its parameters, its query, its body. Neither engine keeps one in
 * text, so nothing is found by it, and a statement that asks for it fails.
 *
 * A parameter may be JSON itself, and write it as JSON does.
 */
export const hasNul = (...parts: readonly unknown[]): boolean => JSON.stringify(parts).includes('\\u0000')
