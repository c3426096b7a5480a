import type { Comparison, JsonPath, Operand, Segment, Selector, Test } from './json-path.ts'

/** What is left to read, from its front. */
interface Reading {
  rest: string
}

/** Nothing of the grammar; caught where the whole is read. */
class NoPath extends Error {}

function take(reading: Reading, pattern: RegExp): RegExpExecArray | null {
  const found = pattern.exec(reading.rest)
  if (found !== null) reading.rest = reading.rest.slice(found[0].length)
  return found
}

function expect<T>(found: T | null): T {
  if (found === null) throw new NoPath()
  return found
}

const space = /^[ \t\n\r]*/
const quotedText =
  /^(?:"((?:[^"\\\p{Cc}]|\\(?:["bfnrt/\\]|u[\da-fA-F]{4}))*)"|'((?:[^'\\\p{Cc}]|\\(?:['bfnrt/\\]|u[\da-fA-F]{4}))*)')/u
const integer = /^(?:0|-?[1-9]\d*)/
const shorthand = /^[\p{L}_\u{80}-\u{10ffff}][\p{L}\p{N}_\u{80}-\u{10ffff}]*/u

function readText(reading: Reading): string | null {
  const found = take(reading, quotedText)
  if (found === null) return null
  const [, double, single = ''] = found
  const json = double ?? single.replaceAll("\\'", "'").replaceAll('"', '\\"')
  // The pattern lets nothing pass that JSON would refuse, and a text is parsed to one.
  return JSON.parse(`"${json}"`) as string
}

function readInteger(reading: Reading): number | null {
  const found = take(reading, integer)
  if (found === null) return null
  const value = Number(found[0])
  if (!Number.isSafeInteger(value)) throw new NoPath()
  return value
}

/** `1:5:2`; each of them may be left out. */
function readSlice(reading: Reading, start: number | null): Selector {
  take(reading, space)
  const end = readInteger(reading)
  take(reading, space)
  if (take(reading, /^:/) === null) return { kind: 'slice', start, end, step: 1 }
  take(reading, space)
  return { kind: 'slice', start, end, step: readInteger(reading) ?? 1 }
}

function readSelector(reading: Reading): Selector {
  const name = readText(reading)
  if (name !== null) return { kind: 'name', name }
  if (take(reading, /^\*/) !== null) return { kind: 'all' }
  if (take(reading, /^\?[ \t\n\r]*/) !== null) return { kind: 'filter', test: readOr(reading) }
  const index = readInteger(reading)
  if (take(reading, /^[ \t\n\r]*:/) !== null) return readSlice(reading, index)
  return { kind: 'index', index: expect(index) }
}

function readBracketed(reading: Reading): readonly Selector[] | null {
  if (take(reading, /^\[/) === null) return null
  const selectors: Selector[] = []
  do {
    take(reading, space)
    selectors.push(readSelector(reading))
    take(reading, space)
  } while (take(reading, /^,/) !== null)
  expect(take(reading, /^\]/))
  return selectors
}

function readUnbracketed(reading: Reading): readonly Selector[] {
  if (take(reading, /^\*/) !== null) return [{ kind: 'all' }]
  const [name] = expect(take(reading, shorthand))
  return [{ kind: 'name', name }]
}

function readSegment(reading: Reading): Segment | null {
  const before = reading.rest
  take(reading, space)
  if (take(reading, /^\.\./) !== null)
    return { descends: true, selectors: readBracketed(reading) ?? readUnbracketed(reading) }
  if (take(reading, /^\./) !== null) return { descends: false, selectors: readUnbracketed(reading) }
  const selectors = readBracketed(reading)
  if (selectors !== null) return { descends: false, selectors }
  // The space belongs to what follows.
  reading.rest = before
  return null
}

function readPath(reading: Reading): JsonPath | null {
  const first = take(reading, /^[$@]/)?.[0]
  if (first === undefined) return null
  const segments: Segment[] = []
  for (let segment = readSegment(reading); segment !== null; segment = readSegment(reading)) segments.push(segment)
  return { from: first === '$' ? 'root' : 'current', segments }
}

const isSingular = ({ segments }: JsonPath): boolean =>
  segments.every(
    ({ descends, selectors }) =>
      !descends && selectors.length === 1 && selectors.every(({ kind }) => kind === 'name' || kind === 'index'),
  )

const words: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
])

function readOperand(reading: Reading): Operand | null {
  const text = readText(reading)
  if (text !== null) return { kind: 'literal', value: text }
  const number = take(reading, /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/)
  if (number !== null) return { kind: 'literal', value: Number(number[0]) }
  const word = take(reading, /^(?:true|false|null)/)
  if (word !== null) return { kind: 'literal', value: words.get(word[0]) ?? null }
  const path = readPath(reading)
  return path === null ? null : { kind: 'path', path }
}

/** What must be one value: a path that may find several is none. */
function singleValue(operand: Operand | null): Operand {
  const found = expect(operand)
  if (found.kind === 'path' && !isSingular(found.path)) throw new NoPath()
  return found
}

function readSearch(reading: Reading): Test | null {
  if (take(reading, /^search\([ \t\n\r]*/) === null) return null
  const text = singleValue(readOperand(reading))
  expect(take(reading, /^[ \t\n\r]*,[ \t\n\r]*/))
  const pattern = singleValue(readOperand(reading))
  expect(take(reading, /^[ \t\n\r]*\)/))
  return { kind: 'search', text, pattern }
}

function readBasic(reading: Reading): Test {
  if (take(reading, /^![ \t\n\r]*/) !== null) return { kind: 'not', member: readUncompared(reading) }
  if (/^\(/.test(reading.rest)) return readUncompared(reading)
  const search = readSearch(reading)
  if (search !== null) return search
  const left = expect(readOperand(reading))
  const operator = take(reading, /^[ \t\n\r]*(==|!=|<=|>=|<|>)[ \t\n\r]*/)?.[1]
  // The pattern has none but these.
  if (operator !== undefined)
    return {
      kind: 'compare',
      left: singleValue(left),
      operator: operator as Comparison,
      right: singleValue(readOperand(reading)),
    }
  if (left.kind === 'literal') throw new NoPath()
  return { kind: 'exists', path: left.path }
}

/** What `!` may stand before: a test in parentheses, a function's, or whether a path finds something. */
function readUncompared(reading: Reading): Test {
  if (take(reading, /^\([ \t\n\r]*/) === null) {
    const search = readSearch(reading)
    return search ?? { kind: 'exists', path: expect(readPath(reading)) }
  }
  const test = readOr(reading)
  expect(take(reading, /^[ \t\n\r]*\)/))
  return test
}

function readJoined(reading: Reading, kind: 'and' | 'or', word: RegExp, read: (reading: Reading) => Test): Test {
  const members = [read(reading)]
  while (take(reading, word) !== null) members.push(read(reading))
  const [first, second] = members
  return first !== undefined && second === undefined ? first : { kind, members }
}

const readAnd = (reading: Reading): Test => readJoined(reading, 'and', /^[ \t\n\r]*&&[ \t\n\r]*/, readBasic)

const readOr = (reading: Reading): Test => readJoined(reading, 'or', /^[ \t\n\r]*\|\|[ \t\n\r]*/, readAnd)

/**
 * Reads `$.realm.roles[?search(@, '^shop')]`; null for what is no such path. Of the functions there is `search`, as in the
 * reference server.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9535.html
 */
export function parseJsonPath(text: string): JsonPath | null {
  const reading: Reading = { rest: text }
  try {
    const path = readPath(reading)
    return path?.from === 'root' && reading.rest === '' ? path : null
  } catch (error) {
    if (error instanceof NoPath) return null
    throw error
  }
}
