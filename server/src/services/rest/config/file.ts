/** A value as the file writes it. */
export type FileValue = string | number | boolean

/** A file that does not parse: the line, from 1, and what was expected there. */
export interface FileProblem {
  readonly line: number
  readonly expected: string
}

export type ParsedFile =
  | { readonly kind: 'values'; readonly values: ReadonlyMap<string, FileValue> }
  | { readonly kind: 'problem'; readonly problem: FileProblem }

class Unreadable extends Error {
  readonly problem: FileProblem
  constructor(problem: FileProblem) {
    super(problem.expected)
    this.problem = problem
  }
}

interface Reading {
  readonly text: string
  at: number
  readonly environment: Readonly<Record<string, string | undefined>>
}

function refuse({ text, at }: Reading, expected: string): never {
  throw new Unreadable({ line: text.slice(0, at).split('\n').length, expected })
}

function take(reading: Reading, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reading.at
  const found = pattern.exec(reading.text)
  if (found !== null) reading.at = pattern.lastIndex
  return found
}

const space = /(?:\s|#[^\n]*)*/y
const blank = /[ \t]*/y
const keyPattern = /[\p{L}](?:[\p{L}\p{N}_-]*)(?:\.[\p{L}][\p{L}\p{N}_-]*)*/uy
const plainText = /[^"\\$]+/y
const escaped = /\\(?:u([0-9a-fA-F]{4})|(["\\ntr]))/y
const interpolation = /\$\(([\p{L}_][\p{L}\p{N}_.-]*)\)/uy
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function readPiece(reading: Reading, values: ReadonlyMap<string, FileValue>): string {
  const plain = take(reading, plainText)
  if (plain !== null) return plain[0]
  const found = take(reading, escaped)
  if (found !== null) {
    const [, code, letter = ''] = found
    return code === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16))
  }
  if (take(reading, /\$\$/y) !== null) return '$'
  const name = take(reading, interpolation)?.[1]
  if (name === undefined) return refuse(reading, 'an escape (\\n, \\", \\\\, \\u0041), $$ or $(NAME)')
  const value = values.get(name) ?? reading.environment[name]
  return value === undefined ? refuse(reading, `a value for $(${name})`) : String(value)
}

function readText(reading: Reading, values: ReadonlyMap<string, FileValue>): string {
  let text = ''
  while (take(reading, /"/y) === null) {
    if (reading.at >= reading.text.length) refuse(reading, 'the end of a text, "')
    text += readPiece(reading, values)
  }
  return text
}

function readValue(reading: Reading, values: ReadonlyMap<string, FileValue>): FileValue {
  if (take(reading, /"/y) !== null) return readText(reading, values)
  const word = take(reading, /(?:true|on|false|off)(?![\p{L}\p{N}_])/uy)?.[0]
  if (word !== undefined) return word === 'true' || word === 'on'
  const number = take(reading, /[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y)
  return number === null ? refuse(reading, 'a text in quotes, a number, true or false') : Number(number[0])
}

/**
 * Reads the reference server's configuration file: `key = value` a line, `#` comments, texts in double quotes with
 * `$(NAME)` for a variable of the environment and `$$` for a dollar.
 */
export function parseConfigurationFile(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): ParsedFile {
  const reading: Reading = { text, at: 0, environment }
  const values = new Map<string, FileValue>()
  try {
    for (take(reading, space); reading.at < text.length; take(reading, space)) {
      const key = take(reading, keyPattern)?.[0] ?? refuse(reading, 'a name')
      take(reading, blank)
      if (take(reading, /=/y) === null) refuse(reading, '=')
      take(reading, space)
      values.set(key, readValue(reading, values))
      take(reading, blank)
      if (reading.at < text.length && take(reading, /(?=[\n\r#])/y) === null) refuse(reading, 'the end of the line')
    }
    return { kind: 'values', values }
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'problem', problem: error.problem }
    throw error
  }
}
