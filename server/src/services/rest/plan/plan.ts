import { findAlike } from '../cache/fuzzy.ts'
import {
  findRelation,
  type QualifiedName,
  type Relation,
  type Routine,
  type SchemaCache,
} from '../cache/schema-cache.ts'
import { restError } from '../errors.ts'
import type { ParsedRequest } from '../parse/request.ts'
import type { RestSettings } from '../settings.ts'
import { planCall, relationOfCall } from './call.ts'
import { findFunction } from './function.ts'
import { negotiate, notAcceptable } from './negotiate.ts'
import { allowedOnFunction, allowedOnRelation, allowedOnRoot } from './options.ts'
import { planRead } from './read.ts'
import { returnsOne } from './routine.ts'
import { shownAs } from './select.ts'
import type { Plan } from './types.ts'
import { planWrite } from './write.ts'

function getRelation(cache: SchemaCache, name: QualifiedName): Relation {
  const relation = findRelation(cache, name)
  if (relation !== undefined) return relation
  const names = [...cache.relations.values()].filter(({ schema }) => schema === name.schema).map((one) => one.name)
  const match = findAlike(names, name.name, 0.75)[0]
  throw restError('PGRST205', {
    message: `Could not find the table '${name.schema}.${name.name}' in the schema cache`,
    wireHint: match === undefined ? null : `Perhaps you meant the table '${name.schema}.${match.text}'`,
  })
}

function refuseUnknownPreferences({ preferences }: ParsedRequest): void {
  if (preferences.handling !== 'strict' || preferences.unknown.length === 0) return
  throw restError('PGRST122', { details: `Invalid preferences: ${preferences.unknown.join(', ')}` })
}

interface Question {
  readonly cache: SchemaCache
  readonly settings: RestSettings
  readonly request: ParsedRequest
}

function planTableRead({ cache, settings, request }: Question, name: QualifiedName, headersOnly: boolean): Plan {
  const relation = getRelation(cache, name)
  const read = planRead({
    cache,
    settings,
    relation: name,
    query: request.query,
    range: request.range,
    source: 'relation',
  })
  const negotiated = negotiate(cache, relation, read, request.accept, {
    planEnabled: settings.planEnabled,
    wantsBody: !headersOnly,
  })
  refuseUnknownPreferences(request)
  return { kind: 'read', relation: name, read: shownAs(read, negotiated), negotiated }
}

function planTableWrite({ cache, settings, request }: Question, name: QualifiedName): Plan {
  const relation = getRelation(cache, name)
  const read = planRead({
    cache,
    settings,
    relation: name,
    query: request.query,
    range: request.range,
    source: 'write',
  })
  const write = planWrite(cache, relation, request, read)
  refuseUnknownPreferences(request)
  const negotiated = negotiate(cache, relation, read, request.accept, {
    planEnabled: settings.planEnabled,
    wantsBody: request.preferences.return === 'representation',
  })
  return { kind: 'write', relation: name, write, read: shownAs(read, negotiated), negotiated }
}

function chooseFunction({ cache, request }: Question, name: QualifiedName, byPost: boolean): Routine {
  const argumentNames = byPost ? request.columns : [...new Set(request.query.args.map(([key]) => key))]
  return findFunction(cache, { name, argumentNames, contentType: request.contentType, byPost })
}

function planFunctionCall(question: Question, name: QualifiedName, by: 'GET' | 'HEAD' | 'POST'): Plan {
  const { cache, settings, request } = question
  const routine = chooseFunction(question, name, by === 'POST')
  const relation = relationOfCall(routine)
  const read = planRead({ cache, settings, relation, query: request.query, range: request.range, source: 'call' })
  const negotiated = negotiate(cache, relation, read, request.accept, {
    planEnabled: settings.planEnabled,
    wantsBody: by !== 'HEAD',
  })
  refuseUnknownPreferences(request)
  const { maxAffected, handling } = request.preferences
  if (maxAffected !== null && handling === 'strict' && returnsOne(routine)) throw restError('PGRST128')
  return {
    kind: 'call',
    call: planCall(routine, request, read),
    read: shownAs(read, negotiated),
    negotiated,
    readOnly: by !== 'POST' || routine.volatility !== 'v',
  }
}

/**
 * Holds a request against the schema: what is read, written or called, and as what it is answered.
 *
 * @throws PGRST100, 105, 107, 108, 118, 122, 123, 127, 128, 200–205
 */
export function planRequest(cache: SchemaCache, settings: RestSettings, request: ParsedRequest): Plan {
  const { action, schema } = request
  const question: Question = { cache, settings, request }
  switch (action.kind) {
    case 'read':
      return planTableRead(question, { schema, name: action.name }, action.headersOnly)
    case 'insert':
    case 'update':
    case 'put':
    case 'delete':
      return planTableWrite(question, { schema, name: action.name })
    case 'call':
      return planFunctionCall(question, { schema, name: action.name }, action.by)
    case 'relation_options':
      return { kind: 'options', allow: allowedOnRelation(getRelation(cache, { schema, name: action.name })) }
    case 'function_options':
      return {
        kind: 'options',
        allow: allowedOnFunction(chooseFunction(question, { schema, name: action.name }, false)),
      }
    case 'root_options':
      return { kind: 'options', allow: allowedOnRoot }
    case 'describe': {
      const available = request.accept.some(({ kind }) => kind === 'openapi' || kind === 'json' || kind === 'any')
      if (available) return { kind: 'describe' }
      throw notAcceptable(request.accept)
    }
  }
}
