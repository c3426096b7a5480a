import type { Caller } from '../../../ground/model/caller.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { SchemaCache } from '../cache/schema-cache.ts'
import { findRelation } from '../cache/schema-cache.ts'
import { isTemplateParameter } from '../parse/query/template-parameter.ts'
import type { RawRequest } from '../parse/request.ts'
import type { Condition, Plan, ReadNode } from '../plan/types.ts'
import { renderCondition, renderWhere } from '../render/filter.ts'
import { columnOf, qualified, quoted, type Scope } from '../render/names.ts'
import type { LookCondition, Target } from './look.ts'
import { rowAlias } from './statements.ts'

/** A request that is to be explained. */
export interface Question {
  readonly method: string
  /** Below `/rest/v1`. */
  readonly path: string
  readonly query: string
  readonly caller: Caller
  /** The schema that its header names; null for the first exposed one. */
  readonly profile: string | null
  /** Null where it is not known. */
  readonly body: string | null
}

const bodies = new Set(['POST', 'PATCH', 'PUT'])

/** The request as the REST service reads it; a body that is not known is empty. */
export function rawOf({ method, path, query, profile, body }: Question): RawRequest {
  const hasBody = bodies.has(method)
  return {
    ...{ method, path, query },
    headers: {
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(profile !== null && { [hasBody || method === 'DELETE' ? 'content-profile' : 'accept-profile']: profile }),
    },
    body: Buffer.from(hasBody ? (body ?? '{}') : ''),
  }
}

const ignored = () => sql`true`

function saidOf(condition: Condition): string {
  if (condition.kind === 'embedded') return condition.embed
  if (condition.kind === 'tree') return `${condition.negated ? 'not.' : ''}${condition.operator}(…)`
  const { field, negated, operation } = condition
  const operator = operation.kind === 'compare' || operation.kind === 'plain' ? operation.operator : operation.kind
  const value = 'value' in operation && typeof operation.value === 'string' ? operation.value : '…'
  return `${field.column}=${negated ? 'not.' : ''}${operator}.${value}`
}

function comparedOf(condition: Condition): LookCondition['compared'] {
  if (condition.kind !== 'filter' || condition.negated || condition.field.path.length > 0) return null
  const { operation, field } = condition
  if (operation.kind !== 'compare' || operation.operator !== 'eq' || isTemplateParameter(operation.value)) return null
  return { column: field.column, value: operation.value }
}

const conditionsOf = (scope: Scope, conditions: readonly Condition[]): readonly LookCondition[] =>
  conditions
    .filter(({ kind }) => kind !== 'embedded')
    .map((condition) => ({
      fragment: renderCondition(scope, condition, ignored),
      said: saidOf(condition),
      compared: comparedOf(condition),
    }))

const parentAlias = 'clew_parent'

/** The rows of an embed that belong to rows which the request asks for; null where its join is no plain one. */
function embedTarget(cache: SchemaCache, parent: ReadNode, node: ReadNode): Target | null {
  const { relationship, relation: name } = node
  if (relationship === null || relationship.kind === 'computed' || relationship.kind === 'many-to-many') return null
  const own: Scope = { alias: rowAlias, relation: name }
  const above: Scope = { alias: parentAlias, relation: parent.relation }
  const joins = relationship.columns.map(
    ([column, foreign]) => sql`${columnOf(own, foreign)} = ${columnOf(above, column)}`,
  )
  const filters = conditionsOf(above, parent.conditions).map(({ fragment }) => fragment)
  const belongs = sql`exists (
    select from ${qualified(parent.relation)} as ${quoted(parentAlias)}${renderWhere([...joins, ...filters])})`
  return {
    name,
    relation: findRelation(cache, name),
    part: 'embed',
    command: 'select',
    conditions: [
      { fragment: belongs, said: `of ${parent.name}`, compared: null },
      ...conditionsOf(own, node.conditions),
    ],
    answersRows: true,
    sent: null,
  }
}

/** The JSON objects of a body; null for one that is not known, or no JSON. */
function sentOf(body: string | null): Target['sent'] {
  if (body === null || body.trim() === '') return null
  try {
    const value: unknown = JSON.parse(body)
    return [value]
      .flat()
      .filter((row): row is Readonly<Record<string, unknown>> => typeof row === 'object' && row !== null)
  } catch {
    return null
  }
}

const mostEmbeds = 5

/** What a planned request touches: its own relation, then what it embeds. */
export function targetsOf(plan: Plan, cache: SchemaCache, question: Question): readonly Target[] {
  if (plan.kind !== 'read' && plan.kind !== 'write') return []
  const { relation: name } = plan
  const scope: Scope = { alias: rowAlias, relation: name }
  const command = plan.kind === 'read' ? 'select' : plan.write.kind
  const conditions = plan.kind === 'read' ? plan.read.conditions : plan.write.conditions
  const own: Target = {
    name,
    relation: findRelation(cache, name),
    part: 'target',
    command,
    conditions: conditionsOf(scope, conditions),
    answersRows: command === 'select' || /(^|&)select=/.test(question.query),
    sent: sentOf(question.body),
  }
  const embeds = plan.kind === 'read' ? plan.read.children : []
  return [own, ...embeds.slice(0, mostEmbeds).flatMap((node) => embedTarget(cache, plan.read, node) ?? [])]
}
