import { fail, failure, setProblem, succeed } from './cursor.ts'
import { characterAt, joined, shown, type Texts } from './parse-problem.ts'
import { label, type Parser } from './parser.ts'

/** One character that satisfies `accepts`. */
export const satisfy =
  (accepts: (character: string) => boolean): Parser<string> =>
  (cursor) => {
    const { input, at } = cursor
    const character = characterAt(input, at)
    if (character !== '' && accepts(character)) return succeed(cursor, at + character.length, true, character)
    return fail(cursor, false, at, at, null, null)
  }

export const char = (wanted: string): Parser<string> =>
  label(
    satisfy((character) => character === wanted),
    shown(wanted),
  )

/** Exactly this text. It has consumed as soon as its first character fits. */
export const literal = (wanted: string): Parser<string> => {
  const expected = shown(wanted)
  return (cursor) => {
    const { input, at } = cursor
    let fits = 0
    while (fits < wanted.length && input.charCodeAt(at + fits) === wanted.charCodeAt(fits)) fits += 1
    if (fits === wanted.length) return succeed(cursor, at + fits, true, wanted)
    return fail(cursor, fits > 0, at, at + fits, null, expected)
  }
}

const asciiSize = 128

/**
 * The longest run of characters that `accepts`, at least `least`; `words` name them for the message at its end.
 * Equal to repeating `satisfy`, without a reply for each character.
 */
export const run = (
  accepts: (character: string) => boolean,
  words: readonly string[],
  least: 0 | 1,
): Parser<string> => {
  const wanted = words.reduce<Texts | null>(joined, null)
  const ascii = Array.from({ length: asciiSize }, (_, code) => accepts(String.fromCharCode(code)))
  const endOf = (input: string, from: number): number => {
    let end = from
    for (;;) {
      const code = input.charCodeAt(end)
      if (code < asciiSize) {
        if (ascii[code] !== true) return end
        end += 1
      } else {
        const character = characterAt(input, end)
        if (character === '' || !accepts(character)) return end
        end += character.length
      }
    }
  }
  return (cursor) => {
    const { input, at } = cursor
    const end = endOf(input, at)
    cursor.at = end
    cursor.consumed = end > at
    setProblem(cursor, end, end, null, wanted)
    return end === at && least === 1 ? failure : input.slice(at, end)
  }
}

/** The end of the text. */
export const endOfInput: Parser<null> = label((cursor) => {
  const { input, at } = cursor
  if (at < input.length) return fail(cursor, false, at, -1, shown(characterAt(input, at), "'"), null)
  cursor.consumed = false
  setProblem(cursor, at, at, null, null)
  return null
}, 'end of input')
