import { type JsonPath, type Selector, selectValues, type Test } from './json-path.ts'
import { parseJsonPath } from './json-path-parser.ts'

/** One step of the reference server's own syntax of before, `.realm.roles[?(@ ^== "shop")]`. */
type FormerStep =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'filter'; readonly test: FormerTest; readonly text: string }

type FormerTest = '==' | '!=' | '^==' | '==^' | '*=='

/** Where a role stands in a token's claims. */
export interface RolePath {
  readonly path: JsonPath
  /** How it is written in the former syntax, without `$`; null for a JSON path. */
  readonly former: readonly FormerStep[] | null
}

const nameStep = /\.(?:([\p{L}\p{N}_$@]+)|"([^"]*)")/uy
const indexStep = /\[(\d+)\]/y
const filterStep = /\[\?\(@\s*(==\^|==|!=|\^==|\*==)\s*"([^"]*)"\)\]$/y

function parseFormer(text: string): readonly FormerStep[] | null {
  const steps: FormerStep[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    at += found?.[0].length ?? 0
    return found
  }
  while (at < text.length) {
    const name = take(nameStep)
    const index = name === null ? take(indexStep) : null
    const filter = name === null && index === null ? take(filterStep) : null
    if (name !== null) steps.push({ kind: 'name', name: name[1] ?? name[2] ?? '' })
    else if (index !== null) steps.push({ kind: 'index', index: Number(index[1]) })
    // The pattern has none but these.
    else if (filter !== null) steps.push({ kind: 'filter', test: filter[1] as FormerTest, text: filter[2] ?? '' })
    else return null
  }
  return steps.length === 0 ? null : steps
}

const itself: JsonPath = { from: 'current', segments: [] }

function testOf(test: FormerTest, value: string): Test {
  const left = { kind: 'path', path: itself } as const
  if (test === '==' || test === '!=') {
    return { kind: 'compare', left, operator: test, right: { kind: 'literal', value } }
  }
  const pattern = value.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&')
  const anchored = test === '^==' ? `^${pattern}` : test === '==^' ? `${pattern}$` : pattern
  return { kind: 'search', text: left, pattern: { kind: 'literal', value: anchored } }
}

const selectorOf = (step: FormerStep): Selector =>
  step.kind === 'filter' ? { kind: 'filter', test: testOf(step.test, step.text) } : step

/** Reads `$.realm.roles[0]`, or the same as it was written before; null for what is neither. */
export function parseRolePath(text: string): RolePath | null {
  if (text.startsWith('$')) {
    const path = parseJsonPath(text)
    return path === null ? null : { path, former: null }
  }
  const former = parseFormer(text)
  if (former === null) return null
  const segments = former.map((step) => ({ descends: false, selectors: [selectorOf(step)] }))
  return { path: { from: 'root', segments }, former }
}

/** Whether a text is such a path. */
export const canParseRolePath = (text: string): boolean => parseRolePath(text) !== null

/** The role that claims name, the first where there are several; null for none. What is no text is its JSON. */
export function findRole(claims: Readonly<Record<string, unknown>>, { path }: RolePath): string | null {
  const [found] = selectValues(path, claims, claims)
  if (found === undefined) return null
  return typeof found === 'string' ? found : JSON.stringify(found)
}

const writeStep = (step: FormerStep): string => {
  switch (step.kind) {
    case 'name':
      return `.${JSON.stringify(step.name)}`
    case 'index':
      return `[${step.index}]`
    case 'filter':
      return `[?(@ ${step.test} ${JSON.stringify(step.text)})]`
  }
}

/** The path as the reference server writes it back. */
export function writeRolePath(text: string): string {
  const former = parseRolePath(text)?.former ?? null
  return former === null ? text : former.map(writeStep).join('')
}
