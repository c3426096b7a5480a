import { findAlike } from '../cache/fuzzy.ts'
import { nameKey, type QualifiedName, type Routine, type SchemaCache } from '../cache/schema-cache.ts'
import { restError } from '../errors.ts'
import type { MediaType } from '../parse/headers/media-type.ts'

export interface FunctionQuestion {
  readonly name: QualifiedName
  readonly argumentNames: readonly string[]
  readonly contentType: MediaType
  readonly byPost: boolean
}

const rawTypes: readonly MediaType['kind'][] = ['text', 'xml', 'octets']

const takesWholeBody: Readonly<Record<string, readonly string[]>> = {
  json: ['json', 'jsonb'],
  text: ['text'],
  xml: ['xml'],
  octets: ['bytea'],
}

const isRaw = ({ byPost, contentType }: FunctionQuestion): boolean => byPost && rawTypes.includes(contentType.kind)

function fitsNames({ parameters }: Routine, question: FunctionQuestion): boolean {
  const passed = question.argumentNames
  if (parameters.length === 0) return passed.length === 0 && !isRaw(question)
  const names = parameters.map(({ name }) => name)
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return passed.every((name) => names.includes(name)) && required.every((name) => passed.includes(name))
}

function fitsBody({ parameters }: Routine, question: FunctionQuestion): boolean {
  const [only] = parameters
  if (!question.byPost || parameters.length !== 1 || only === undefined || only.name !== '') return false
  return (takesWholeBody[question.contentType.kind] ?? []).includes(only.type)
}

const signature = ({ schema, name, parameters }: Routine): string =>
  `${schema}.${name}(${parameters.map((one) => `${one.name} => ${one.type}`).join(', ')})`

const ambiguous = (routines: readonly Routine[]): Error =>
  restError('PGRST203', {
    message: `Could not choose the best candidate function between: ${routines.map(signature).join(', ')}`,
    wireHint:
      'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  })

function searchedFor(question: FunctionQuestion): string {
  const names = question.argumentNames
  if (question.byPost && question.contentType.kind === 'text') return ' with a single unnamed text parameter'
  if (question.byPost && question.contentType.kind === 'xml') return ' with a single unnamed xml parameter'
  if (question.byPost && question.contentType.kind === 'octets') return ' with a single unnamed bytea parameter'
  const parameters =
    names.length === 0 ? ' without parameters' : ` with parameter${names.length > 1 ? 's' : ''} ${names.join(', ')}`
  const orBody = question.byPost && question.contentType.kind === 'json'
  return orBody ? `${parameters} or with a single unnamed json/jsonb parameter` : parameters
}

function hintFor(cache: SchemaCache, question: FunctionQuestion, overloads: readonly Routine[]): string | null {
  if (isRaw(question)) return null
  const { schema, name } = question.name
  const perhaps = (what: string): string => `Perhaps you meant to call the function ${schema}.${what}`
  const list = (names: readonly string[]): string => `(${[...names].sort().join(', ')})`
  if (overloads.length > 0) {
    const known = overloads.map(({ parameters }) => list(parameters.map((parameter) => parameter.name)))
    const match = findAlike(known, list(question.argumentNames))[0]
    return match === undefined ? null : perhaps(`${name}${match.text}`)
  }
  const names = [...cache.functions.values()].flatMap(([first]) => (first?.schema === schema ? [first.name] : []))
  const match = findAlike(names, name, 0.75)[0]
  return match === undefined ? null : perhaps(match.text)
}

function notFound(cache: SchemaCache, question: FunctionQuestion, overloads: readonly Routine[]): Error {
  const qualified = `${question.name.schema}.${question.name.name}`
  const names = [...question.argumentNames].sort()
  const argumentList = names.length === 0 ? ' without parameters' : `(${names.join(', ')})`
  const sorted = { ...question, argumentNames: names }
  return restError('PGRST202', {
    message: `Could not find the function ${qualified}${isRaw(question) ? '' : argumentList} in the schema cache`,
    details: `Searched for the function ${qualified}${searchedFor(sorted)}, but no matches were found in the schema cache.`,
    wireHint: hintFor(cache, sorted, overloads),
  })
}

/**
 * Chooses among the functions of one name by the names of the arguments alone (rest §9).
 *
 * @throws PGRST202 for none, PGRST203 for several
 */
export function findFunction(cache: SchemaCache, question: FunctionQuestion): Routine {
  const overloads = cache.functions.get(nameKey(question.name)) ?? []
  const named = overloads.filter((routine) => fitsNames(routine, question))
  const candidates = named.length > 0 ? named : overloads.filter((routine) => fitsBody(routine, question))
  const [first, second] = candidates
  if (first === undefined) throw notFound(cache, question, overloads)
  if (second !== undefined) throw ambiguous(candidates)
  return first
}
