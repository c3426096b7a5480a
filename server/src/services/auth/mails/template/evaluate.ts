import { createEscaper, type Escaper, plainEscaper } from './escape.ts'
import { callFunction, isTrue, printValue } from './functions.ts'
import { type Expression, type Template, TemplateError } from './parse.ts'

export type TemplateData = Readonly<Record<string, unknown>>

/** The most steps of one rendering: the data is a user's own, and a `range` in a `range` multiplies it. */
const maxSteps = 50_000
const maxLength = 1024 * 1024

/**
 * Renders a template as HTML. Every value is escaped for the place it stands in: text, attribute, address, query.
 *
 * @throws TemplateError when it grows beyond bounds
 */
export const renderHtml = (template: Template, data: TemplateData): string => render(template, data, createEscaper())

/** Renders a template as plain text, for a subject or a text message: nothing is escaped. */
export const renderPlain = (template: Template, data: TemplateData): string => render(template, data, plainEscaper)

/** Variables, each with the one it hides. */
interface Scope {
  readonly values: Map<string, unknown>
  readonly outer: Scope | null
}

function render(template: Template, data: TemplateData, escaper: Escaper): string {
  const out: string[] = []
  let steps = 0
  let length = 0

  function write(text: string): void {
    length += text.length
    if (length > maxLength) throw new TemplateError('the mail is too long')
    out.push(text)
  }

  function run(nodes: Template, dot: unknown, outer: Scope): void {
    const scope: Scope = { values: new Map(), outer }
    for (const node of nodes) {
      steps += 1
      if (steps > maxSteps) throw new TemplateError('the mail takes too long')
      switch (node.kind) {
        case 'text':
          escaper.follow(node.text)
          write(node.text)
          break
        case 'value':
          write(escaper.escape(printValue(evaluate(node.value, dot, scope))))
          break
        case 'set': {
          const home = node.isNew ? scope : holder(scope, node.name)
          home.values.set(node.name, evaluate(node.value, dot, scope))
          break
        }
        case 'if':
          run(isTrue(evaluate(node.condition, dot, scope)) ? node.then : node.otherwise, dot, scope)
          break
        case 'with': {
          const value = evaluate(node.value, dot, scope)
          if (isTrue(value)) run(node.then, value, scope)
          else run(node.otherwise, dot, scope)
          break
        }
        case 'range': {
          const entries = entriesOf(evaluate(node.value, dot, scope))
          for (const [key, value] of entries) run(node.each, value, rangeScope(node.names, key, value, scope))
          if (entries.length === 0) run(node.otherwise, dot, scope)
          break
        }
        default:
          node satisfies never
      }
    }
  }

  run(template, data, { values: new Map<string, unknown>([['', data]]), outer: null })
  return out.join('')
}

function rangeScope(names: readonly string[], key: unknown, value: unknown, outer: Scope): Scope {
  const [first, second] = names
  const values = new Map<string, unknown>()
  if (first !== undefined) values.set(first, second === undefined ? value : key)
  if (second !== undefined) values.set(second, value)
  return { values, outer }
}

function holder(scope: Scope, name: string): Scope {
  for (let at: Scope | null = scope; at !== null; at = at.outer) if (at.values.has(name)) return at
  return scope
}

function evaluate(expression: Expression, dot: unknown, scope: Scope): unknown {
  switch (expression.kind) {
    case 'constant':
      return expression.value
    case 'variable':
      return holder(scope, expression.name).values.get(expression.name) ?? null
    case 'field': {
      const start = expression.of === null ? dot : evaluate(expression.of, dot, scope)
      return expression.path.reduce(fieldOf, start)
    }
    case 'call':
      return callFunction(
        expression.name,
        expression.arguments.map((argument) => () => evaluate(argument, dot, scope)),
      )
    default:
      return expression satisfies never
  }
}

/** A field of an object; nothing where there is none. Only what the data itself holds: no prototype is looked into. */
function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return Object.hasOwn(value, name) ? ((value as TemplateData)[name] ?? null) : null
}

/** The items of a `range`: a list in its order, an object by its sorted keys. */
function entriesOf(value: unknown): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(value)) return [...value.entries()]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
