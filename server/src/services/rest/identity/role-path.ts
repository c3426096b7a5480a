/** One step of a path into a token's claims. */
type Step =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'filter'; readonly path: readonly Step[]; readonly test: Test; readonly text: string }

type Test = '==' | '!=' | '^==' | '==^' | '*=='

/** Where a role stands in a token's claims. */
export interface RolePath {
  readonly steps: readonly Step[]
  /** Written in the reference server's own syntax of before, without `$`. */
  readonly deprecated: boolean
}

/** What is left to read, from its front. */
interface Reading {
  rest: string
}

function take(reading: Reading, pattern: RegExp): RegExpExecArray | null {
  const found = pattern.exec(reading.rest)
  if (found !== null) reading.rest = reading.rest.slice(found[0].length)
  return found
}

const unquote = (quoted: string): string | null => {
  const inner = quoted.slice(1, -1)
  const json = quoted.startsWith('"') ? quoted : `"${inner.replaceAll("\\'", "'").replaceAll('"', '\\"')}"`
  try {
    return String(JSON.parse(json))
  } catch {
    return null
  }
}

const quotedText = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/

function readName(reading: Reading): Step | null {
  const bare = take(reading, /^\.([\p{L}_$@\u{80}-\u{10ffff}][\p{L}\p{N}_$@\u{80}-\u{10ffff}]*)/u)
  if (bare !== null) return { kind: 'name', name: bare[1] ?? '' }
  if (take(reading, /^\.\*/) !== null) return { kind: 'all' }
  return null
}

function readTest(reading: Reading, tests: RegExp): Step | null {
  if (take(reading, /^\?\s*/) === null) return null
  const inParentheses = take(reading, /^\(\s*/) !== null
  if (take(reading, /^@/) === null) return null
  const path: Step[] = []
  for (let step = readStep(reading); step !== null; step = readStep(reading)) path.push(step)
  const test = take(reading, tests)?.[1]
  const quoted = take(reading, quotedText)?.[0]
  const text = quoted === undefined ? null : unquote(quoted)
  if (test === undefined || text === null) return null
  if (inParentheses && take(reading, /^\s*\)/) === null) return null
  // The pattern has none but these.
  return { kind: 'filter', path, test: test as Test, text }
}

function readBracket(reading: Reading): Step | null {
  const before = reading.rest
  if (take(reading, /^\[\s*/) === null) return null
  const step = readSelector(reading)
  if (step !== null && take(reading, /^\s*\]/) !== null) return step
  reading.rest = before
  return null
}

function readSelector(reading: Reading): Step | null {
  const index = take(reading, /^(?:0|-?[1-9]\d*)/)
  if (index !== null) return { kind: 'index', index: Number(index[0]) }
  if (take(reading, /^\*/) !== null) return { kind: 'all' }
  const quoted = take(reading, quotedText)
  const name = quoted === null ? null : unquote(quoted[0])
  if (name !== null) return { kind: 'name', name }
  return readTest(reading, /^\s*(==|!=)\s*/)
}

const readStep = (reading: Reading): Step | null => readName(reading) ?? readBracket(reading)

/** RFC 9535, as far as a role can be found by it: members, elements, all of them, and those equal to a text or not. */
function parseJsonPath(text: string): readonly Step[] | null {
  const reading: Reading = { rest: text.slice(1) }
  const steps: Step[] = []
  while (reading.rest !== '') {
    const step = readStep(reading)
    if (step === null) return null
    steps.push(step)
  }
  return steps
}

function readFormerStep(reading: Reading): Step | null {
  const key = take(reading, /^\.(?:([\p{L}\p{N}_$@]+)|"([^"]*)")/u)
  if (key !== null) return { kind: 'name', name: key[1] ?? key[2] ?? '' }
  const index = take(reading, /^\[(\d+)\]/)
  if (index !== null) return { kind: 'index', index: Number(index[1]) }
  const filter = take(reading, /^\[\?\(@\s*(==\^|==|!=|\^==|\*==)\s*"([^"]*)"\)\]$/)
  // The pattern has none but these.
  return filter === null ? null : { kind: 'filter', path: [], test: filter[1] as Test, text: filter[2] ?? '' }
}

function parseFormer(text: string): readonly Step[] | null {
  const reading: Reading = { rest: text }
  const steps: Step[] = []
  while (reading.rest !== '') {
    const step = readFormerStep(reading)
    if (step === null) return null
    steps.push(step)
  }
  return steps.length === 0 ? null : steps
}

/** Reads `$.realm.roles[0]`, or the same as it was written before; null for what is neither. */
export function parseRolePath(text: string): RolePath | null {
  const deprecated = !text.startsWith('$')
  const steps = deprecated ? parseFormer(text) : parseJsonPath(text)
  return steps === null ? null : { steps, deprecated }
}

/** Whether a text is such a path. */
export const canParseRolePath = (text: string): boolean => parseRolePath(text) !== null

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const children = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []

const passes = (value: unknown, test: Test, text: string): boolean => {
  if (test === '!=') return value !== text
  if (typeof value !== 'string') return false
  if (test === '==') return value === text
  if (test === '^==') return value.startsWith(text)
  return test === '==^' ? value.endsWith(text) : value.includes(text)
}

function follow(value: unknown, step: Step): readonly unknown[] {
  switch (step.kind) {
    case 'name':
      return isObject(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : []
    case 'index': {
      const found = Array.isArray(value) ? value.at(step.index) : undefined
      return found === undefined ? [] : [found]
    }
    case 'all':
      return children(value)
    case 'filter':
      return children(value).filter((child) => passes(followAll(child, step.path)[0], step.test, step.text))
  }
}

const followAll = (value: unknown, steps: readonly Step[]): readonly unknown[] =>
  steps.reduce<readonly unknown[]>((values, step) => values.flatMap((one) => follow(one, step)), [value])

/** The role that claims name, the first where there are several; null for none. What is no text is its JSON. */
export function findRole(claims: Readonly<Record<string, unknown>>, { steps }: RolePath): string | null {
  const [found] = followAll(claims, steps)
  if (found === undefined) return null
  return typeof found === 'string' ? found : JSON.stringify(found)
}

const writeStep = (step: Step): string => {
  switch (step.kind) {
    case 'name':
      return `.${JSON.stringify(step.name)}`
    case 'index':
      return `[${step.index}]`
    case 'all':
      return '[*]'
    case 'filter':
      return `[?(@${step.path.map(writeStep).join('')} ${step.test} ${JSON.stringify(step.text)})]`
  }
}

/** The path as the reference server writes it back. */
export function writeRolePath(text: string): string {
  const path = parseRolePath(text)
  return path === null || !path.deprecated ? text : path.steps.map(writeStep).join('')
}
