import { isObject } from '../../../ground/json/object.ts'
/** A query of a JSON value: where it begins, and how it goes on (RFC 9535 §2.1). */
export interface JsonPath {
  readonly from: 'root' | 'current'
  readonly segments: readonly Segment[]
}

/** One step: to the children that its selectors find, or to those of everything below as well. */
export interface Segment {
  readonly descends: boolean
  readonly selectors: readonly Selector[]
}

export type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'slice'; readonly start: number | null; readonly end: number | null; readonly step: number }
  | { readonly kind: 'filter'; readonly test: Test }

/** What a filter asks of a child. */
export type Test =
  | { readonly kind: 'and' | 'or'; readonly members: readonly Test[] }
  | { readonly kind: 'not'; readonly member: Test }
  | { readonly kind: 'exists'; readonly path: JsonPath }
  | { readonly kind: 'compare'; readonly left: Operand; readonly operator: Comparison; readonly right: Operand }
  /** Whether a text holds what a regular expression describes. */
  | { readonly kind: 'search'; readonly text: Operand; readonly pattern: Operand }

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='

/** A value, or the path to one; the path may find nothing. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'path'; readonly path: JsonPath }

const children = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []

/** The value itself and everything in it, each before what is in it. */
const withDescendants = (value: unknown): readonly unknown[] => [value, ...children(value).flatMap(withDescendants)]

/** The elements of a slice; negative positions count from the end, a negative step goes backwards (RFC 9535 §2.3.4.2). */
function slice(values: readonly unknown[], { start, end, step }: Extract<Selector, { kind: 'slice' }>) {
  if (step === 0) return []
  const forwards = step > 0
  const [lowest, highest] = forwards ? [0, values.length] : [-1, values.length - 1]
  const place = (position: number | null, otherwise: number): number => {
    if (position === null) return otherwise
    return Math.min(Math.max(position < 0 ? position + values.length : position, lowest), highest)
  }
  const first = place(start, forwards ? lowest : highest)
  const last = place(end, forwards ? highest : lowest)
  const found: unknown[] = []
  for (let at = first; forwards ? at < last : at > last; at += step) found.push(values[at])
  return found
}

/** What an operand stands for; undefined for a path that finds nothing, which no value equals. */
const operandValue = (operand: Operand, current: unknown, root: unknown): unknown =>
  operand.kind === 'literal' ? operand.value : selectValues(operand.path, current, root)[0]

function equals(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((one, index) => equals(one, right[index]))
  if (!isObject(left) || !isObject(right)) return left === right
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equals(left[name], right[name]))
  )
}

const isLess = (left: unknown, right: unknown): boolean =>
  (typeof left === 'number' && typeof right === 'number' && left < right) ||
  (typeof left === 'string' && typeof right === 'string' && left < right)

const comparisons: Readonly<Record<Comparison, (left: unknown, right: unknown) => boolean>> = {
  '==': equals,
  '!=': (left, right) => !equals(left, right),
  '<': isLess,
  '<=': (left, right) => isLess(left, right) || equals(left, right),
  '>': (left, right) => isLess(right, left),
  '>=': (left, right) => isLess(right, left) || equals(left, right),
}

/** What is no text, or no regular expression, does not match (RFC 9535 §2.4.7). */
function holds(text: unknown, pattern: unknown): boolean {
  if (typeof text !== 'string' || typeof pattern !== 'string') return false
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}

function passes(test: Test, current: unknown, root: unknown): boolean {
  switch (test.kind) {
    case 'and':
      return test.members.every((member) => passes(member, current, root))
    case 'or':
      return test.members.some((member) => passes(member, current, root))
    case 'not':
      return !passes(test.member, current, root)
    case 'exists':
      return selectValues(test.path, current, root).length > 0
    case 'compare':
      return comparisons[test.operator](operandValue(test.left, current, root), operandValue(test.right, current, root))
    case 'search':
      return holds(operandValue(test.text, current, root), operandValue(test.pattern, current, root))
  }
}

function select(value: unknown, selector: Selector, root: unknown): readonly unknown[] {
  switch (selector.kind) {
    case 'name':
      return isObject(value) && Object.hasOwn(value, selector.name) ? [value[selector.name]] : []
    case 'index': {
      const found: unknown = Array.isArray(value) ? value.at(selector.index) : undefined
      return found === undefined ? [] : [found]
    }
    case 'all':
      return children(value)
    case 'slice':
      return Array.isArray(value) ? slice(value, selector) : []
    case 'filter':
      return children(value).filter((child) => passes(selector.test, child, root))
  }
}

/** The values that a path finds, in order. @param current what `@` stands for; the root itself outside of a filter */
export function selectValues(path: JsonPath, current: unknown, root: unknown): readonly unknown[] {
  return path.segments.reduce<readonly unknown[]>(
    (values, { descends, selectors }) =>
      (descends ? values.flatMap(withDescendants) : values).flatMap((value) =>
        selectors.flatMap((selector) => select(value, selector, root)),
      ),
    [path.from === 'root' ? root : current],
  )
}
