import { char, endOfInput, literal, run, satisfy } from './characters.ts'
import {
  after,
  attempt,
  before,
  both,
  either,
  label,
  lookAhead,
  many,
  map,
  notFollowedBy,
  option,
  type Parser,
  part,
  remembered,
  sepBy1,
} from './parser.ts'
import type { Field, JsonStep } from './types.ts'

const isDigit = (character: string): boolean => character >= '0' && character <= '9'
const otherScript = /^[\p{L}\p{N}]$/u

const isIdentifierCharacter = (character: string): boolean =>
  (character >= 'a' && character <= 'z') ||
  (character >= 'A' && character <= 'Z') ||
  isDigit(character) ||
  character === '_' ||
  character === ' ' ||
  character === '$' ||
  (character > '\x7f' && otherScript.test(character))

/** Spaces and tabs around a token. */
const blank = run((character) => character === ' ' || character === '\t', [], 0)

export const lexeme = <T>(parser: Parser<T>): Parser<T> => before(after(blank, parser), blank)

/** Letters and digits of any script, `_`, `$` and spaces; trimmed. */
export const identifierName: Parser<string> = map(run(isIdentifierCharacter, ['letter', 'digit'], 1), (text) =>
  text.trim(),
)

const quotedPiece = either(
  run((character) => character !== '\\' && character !== '"', [], 1),
  after(
    char('\\'),
    satisfy(() => true),
  ),
)

/** `"…"` with backslash escapes. */
export const quotedValue: Parser<string> = before(
  after(
    char('"'),
    map(many(quotedPiece), (pieces) => pieces.join('')),
  ),
  char('"'),
)

/** A dash that does not begin an arrow. */
const dash = attempt(before(char('-'), notFollowedBy(char('>'))))

const dashed = (part: Parser<string>): Parser<string> => map(sepBy1(part, dash), (parts) => parts.join('-'))

/** A column's, relation's or alias's name (rest §3.1). */
export const fieldName: Parser<string> = remembered(
  label(either(quotedValue, dashed(identifierName)), 'field name (* or [a..z0..9_$])'),
)

const jsonKeyCharacters = map(
  run((character) => !'(-:.,>)'.includes(character), [], 1),
  (text) => text.trim(),
)

const jsonKeyName: Parser<string> = label(
  either(quotedValue, dashed(jsonKeyCharacters)),
  'any non reserved character different from: .,>()',
)

const indexEnd: Parser<unknown> = either<unknown>(
  attempt(lookAhead(literal('->'))),
  attempt(lookAhead(literal('::'))),
  attempt(lookAhead(literal('.'))),
  attempt(lookAhead(literal(','))),
  attempt(endOfInput),
)

const jsonIndex: Parser<string> = before(
  both(option(char('-'), '+'), run(isDigit, ['digit'], 1), (sign, digits) => (sign === '-' ? `-${digits}` : digits)),
  indexEnd,
)

const jsonStep: Parser<JsonStep> = both(
  either<'->' | '->>'>(
    map(attempt(literal('->>')), (): '->>' => '->>'),
    map(attempt(literal('->')), (): '->' => '->'),
  ),
  either<Omit<JsonStep, 'arrow'>>(
    attempt(map(jsonIndex, (value) => ({ kind: 'index', value }))),
    attempt(map(jsonKeyName, (value) => ({ kind: 'key', value }))),
  ),
  (arrow, step): JsonStep => ({ arrow, ...step }),
)

const jsonPath: Parser<readonly JsonStep[]> = many(part(jsonStep))

/** A column with an optional JSON path, spaces around it allowed. */
export const field: Parser<Field> = lexeme(both(fieldName, option(jsonPath, []), (name, path) => ({ name, path })))

export const delimiter: Parser<string> = label(char('.'), 'delimiter (.)')

/** `embed.embed.column->path`, the key of a filter. */
export const treePath: Parser<{ readonly path: readonly string[]; readonly field: Field }> = both(
  sepBy1(part(fieldName), delimiter),
  option(jsonPath, []),
  (names, path) => ({
    path: names.slice(0, -1),
    field: { name: names[names.length - 1] ?? '', path },
  }),
)

/** `a,"b c"`, the value of `columns` and `on_conflict`. */
export const columnList: Parser<readonly string[]> = sepBy1(part(fieldName), lexeme(char(',')))

/** Names that need no grammar: what nearly every request sends. */
export const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/
