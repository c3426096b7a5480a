import { isToOne, type QualifiedName, type SchemaCache } from '../cache/schema-cache.ts'
import { restError } from '../errors.ts'
import { capRange } from '../parse/query/ranges.ts'
import { createPartCounter } from '../parse/query/read-text.ts'
import type { Filter, LogicTree, OrderTerm, Query, RowRange } from '../parse/query/types.ts'
import type { RestSettings } from '../settings.ts'
import { calledName, type Draft, draftTree } from './draft.ts'
import { planField, planFilter } from './fields.ts'
import { findRelationship } from './relationship.ts'
import { planSelect } from './select.ts'
import type { Condition, NodeShape, PlannedOrder, ReadNode } from './types.ts'

export interface ReadQuestion {
  readonly cache: SchemaCache
  readonly settings: RestSettings
  readonly relation: QualifiedName
  readonly query: Query
  readonly range: RowRange
  /** Whether the rows come from a write or a call, rather than from the relation itself. */
  readonly source: 'relation' | 'write' | 'call'
}

interface NodeContext {
  readonly depth: number
  readonly underAggregate: boolean
  readonly parent: ReadNode['parent']
  readonly nextOutput: () => string
  /** Counts the columns that a `*` was spelled out as. @throws PGRST100 for too many in one request */
  readonly countExpanded: (columns: number) => void
}

const planTree = (cache: SchemaCache, relation: QualifiedName, logic: Filter | LogicTree): Condition =>
  logic.kind === 'filter'
    ? planFilter(cache, relation, logic)
    : {
        kind: 'tree',
        operator: logic.operator,
        negated: logic.negated,
        members: logic.members.map((member) => planTree(cache, relation, member)),
      }

/** A node's embeds by the names that filters and orders call them by; of two the first. */
type Embeds = ReadonlyMap<string, ReadNode>

const embedsOf = (children: readonly ReadNode[]): Embeds =>
  new Map(children.map((node) => [node.givenAlias ?? node.name, node] as const).reverse())

/** `embed=is.null` asks whether the embed found anything (rest §5.3). */
function withEmbedTests(condition: Condition, embeds: Embeds): Condition {
  if (condition.kind === 'tree') {
    return { ...condition, members: condition.members.map((member) => withEmbedTests(member, embeds)) }
  }
  if (condition.kind !== 'filter' || condition.operation.kind !== 'is' || condition.operation.value !== 'null') {
    return condition
  }
  if (condition.field.path.length > 0) return condition
  const child = embeds.get(condition.field.column)
  return child === undefined ? condition : { kind: 'embedded', embed: child.output, exists: condition.negated }
}

function planOrder(cache: SchemaCache, relation: QualifiedName, term: OrderTerm, embeds: Embeds): PlannedOrder {
  const field = planField(cache, relation, term.field)
  if (term.relation === null) return { field, embed: null, direction: term.direction, nulls: term.nulls }
  const child = embeds.get(term.relation)
  if (child === undefined) {
    throw restError('PGRST108', {
      message: `'${term.relation}' is not an embedded resource in this request`,
      wireHint: `Verify that '${term.relation}' is included in the 'select' query parameter.`,
    })
  }
  if (child.shape !== 'object' && child.shape !== 'spread_one') {
    throw restError('PGRST118', {
      message: `A related order on '${term.relation}' is not possible`,
      details: `'${relation.name}' and '${term.relation}' do not form a many-to-one or one-to-one relationship`,
    })
  }
  // The embed's columns come out of a subquery, so nothing is known of their types but that `to_jsonb` takes them.
  return {
    field: { ...field, toJson: true },
    embed: child.output,
    direction: term.direction,
    nulls: term.nulls,
  }
}

const shapeOf = (draft: Draft, toOne: boolean): NodeShape => {
  if (draft.spread) return toOne ? 'spread_one' : 'spread_many'
  return toOne ? 'object' : 'array'
}

/** The name that a node's columns are qualified with in SQL. */
const scopeOf = (node: { readonly alias: string | null; readonly relation: QualifiedName }): ReadNode['parent'] => ({
  alias: node.alias,
  relation: node.relation,
})

function finish(
  question: ReadQuestion,
  draft: Draft,
  context: NodeContext,
  known: Omit<ReadNode, 'select' | 'conditions' | 'order' | 'children'>,
): ReadNode {
  const { cache } = question
  const hasAggregate = context.underAggregate || draft.fields.some(({ aggregate }) => aggregate !== null)
  const children = draft.children.map((child) =>
    planEmbed(
      question,
      child,
      {
        depth: context.depth + 1,
        underAggregate: hasAggregate || known.shape === 'spread_many',
        parent: scopeOf(known),
        nextOutput: context.nextOutput,
        countExpanded: context.countExpanded,
      },
      known,
    ),
  )
  const embeds = embedsOf(children)
  const conditions = draft.filters.map((logic) => withEmbedTests(planTree(cache, known.relation, logic), embeds))
  return {
    ...known,
    select: planSelect(cache, known.relation, draft.fields, {
      shape: known.shape,
      underAggregate: hasAggregate,
      countExpanded: context.countExpanded,
    }),
    conditions,
    order: draft.order.map((term) => planOrder(cache, known.relation, term, embeds)),
    children,
  }
}

// PostgreSQL cuts longer names, and two of them could become one.
const longestName = 63

/** An embed's name in its parent's FROM: two of one parent that are called the same are refused by PostgreSQL (42712). */
function outputName(parent: string, draft: Draft, { depth, nextOutput }: NodeContext): string {
  const name = `${parent}_${calledName(draft)}_${depth}`
  return Buffer.byteLength(name) > longestName ? nextOutput() : name
}

function planEmbed(
  question: ReadQuestion,
  draft: Draft,
  context: NodeContext,
  parent: Pick<ReadNode, 'relation'>,
): ReadNode {
  const origin = { schema: question.relation.schema, name: parent.relation.name }
  const relationship = findRelationship(question.cache, origin, draft.name, draft.hint)
  const { foreign } = relationship
  const maxRows = question.source === 'write' ? null : question.settings.maxRows
  return finish(question, draft, context, {
    from: foreign,
    // A junction stands beside the relation, so both keep their own names.
    alias: relationship.kind === 'many-to-many' ? null : `${foreign.name}_${context.depth}`,
    name: draft.name,
    givenAlias: draft.alias,
    relation: foreign,
    range: capRange(draft.range, maxRows),
    join: draft.join,
    hint: draft.hint,
    relationship,
    parent: context.parent,
    output: outputName(parent.relation.name, draft, context),
    shape: shapeOf(draft, isToOne(relationship)),
    depth: context.depth,
    usedLegacyName: draft.usedLegacyName,
  })
}

function refuseAggregates(node: ReadNode, allowed: boolean): boolean {
  const own = node.select.some(({ aggregate }) => aggregate !== null)
  if (own && !allowed) throw restError('PGRST123')
  const below = node.children.map((child) => ({ child, has: refuseAggregates(child, allowed) }))
  // Only what a to-one spread lifts counts as its parent's.
  const lifted = below.some(({ child, has }) => has && child.shape === 'spread_one')
  if (node.shape === 'spread_many' && (own || lifted)) {
    throw restError('PGRST127', {
      details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
    })
  }
  return own || lifted
}

/**
 * Plans what is read and how it is shaped: the tree of `select`, with filters, orders and ranges on its nodes.
 *
 * @throws PGRST100, 108, 118, 123, 127, 200, 201
 */
export function planRead(question: ReadQuestion): ReadNode {
  const { query, settings, relation, source } = question
  const draft = draftTree(relation.name, query, {
    legacyNames: settings.legacyTargetNames,
    isWrite: source === 'write',
    rootRange: question.range,
  })
  let outputs = 0
  const nextOutput = (): string => {
    outputs += 1
    return `pgrst_embed_${outputs}`
  }
  const maxRows = source === 'write' ? null : settings.maxRows
  const expanded = createPartCounter(settings.queryPartsLimit)
  const context: NodeContext = {
    depth: 0,
    underAggregate: false,
    parent: null,
    nextOutput,
    countExpanded: expanded.add,
  }
  const node = finish(question, draft, context, {
    from: source === 'relation' ? relation : null,
    alias: source === 'relation' ? null : relation.name,
    name: relation.name,
    givenAlias: null,
    relation,
    range: source === 'write' ? draft.range : capRange(draft.range, maxRows),
    join: null,
    hint: null,
    relationship: null,
    parent: null,
    output: 'pgrst_root',
    shape: 'root',
    depth: 0,
    usedLegacyName: false,
  })
  refuseAggregates(node, settings.aggregatesEnabled)
  return node
}

/** The embeds that filters named by their relation although they have an alias. */
export function legacyNames(node: ReadNode): readonly { readonly name: string; readonly alias: string }[] {
  const own = node.usedLegacyName && node.givenAlias !== null ? [{ name: node.name, alias: node.givenAlias }] : []
  return [...own, ...node.children.flatMap(legacyNames)]
}
