import { isDatabaseError, type Session, type Sql } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { JsonObject } from '../../../ground/json/object.ts'
import { settingsOf } from '../caller/authorize.ts'
import type { Channel } from '../channel/channel.ts'
import type { ChangeSubscriptions } from '../channel/join.ts'
import { type Binding, bindingId, parseBinding, unable } from './binding.ts'
import { type ColumnFacts, selectPublishedStatement, type TableFacts } from './facts.ts'
import { type Condition, FilterProblem } from './filter.ts'
import { type Patterns, patternOf } from './patterns.ts'
import type { Registry, Subscription } from './registry.ts'
import type { FactsReader } from './table-facts.ts'

/** The dependencies of `createSubscriptions`. */
export interface SubscriptionsDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly session: Pick<Session, 'run'>
  readonly facts: FactsReader
  readonly patterns: Patterns
  readonly registry: Registry
  readonly log: { error(details: object, message: string): void }
}

/** After trouble with the database, a subscription is tried again (realtime §3). */
const againMs = 5000

/** Subscribes channels to row changes (realtime §6). */
export function createSubscriptions(deps: SubscriptionsDeps): ChangeSubscriptions {
  const { registry, log } = deps
  return {
    identify: (requests) => requests.map((request) => ({ ...request, id: bindingId(request) })),
    subscribe(channel) {
      const active: Subscription[] = []
      let isWanted = true
      const begin = async (): Promise<void> => {
        const bindings: Binding[] = []
        for (const request of channel.config.changes) bindings.push(await openBinding(deps, channel, request))
        if (!isWanted) return
        // One that two requests share is one.
        for (const binding of new Map(bindings.map((each) => [each.id, each])).values()) {
          const subscription = { channel, binding }
          active.push(subscription)
          registry.add(subscription)
        }
        channel.tell('postgres_changes', 'ok', 'Subscribed to PostgreSQL')
      }
      let timer: NodeJS.Timeout | null = null
      const failed = (error: unknown): void => {
        if (!isWanted) return
        const isFinal = error instanceof FilterProblem
        channel.tell('postgres_changes', 'error', isFinal ? error.message : 'Unable to subscribe to changes')
        if (isFinal) return
        log.error({ err: error }, 'realtime: a subscription failed')
        timer = setTimeout(() => void begin().catch(failed), againMs).unref()
      }
      begin().catch(failed)
      return () => {
        isWanted = false
        if (timer !== null) clearTimeout(timer)
        for (const subscription of active) registry.remove(subscription)
      }
    },
  }
}

/** Reads a request, and asks the database whether it can be met. @throws FilterProblem */
async function openBinding(deps: SubscriptionsDeps, channel: Channel, request: JsonObject): Promise<Binding> {
  const binding = parseBinding(request)
  const { rows } = await deps.sql.query<{ id: string }>(selectPublishedStatement(binding.schema, binding.table))
  const [table] = rows
  if (table === undefined) throw new FilterProblem(unable(request))
  if (binding.conditions.length === 0 && binding.selected === null) return binding
  const facts = await deps.facts.read(Number(table.id), channel.grant.caller.role)
  if (facts === null) throw new FilterProblem(unable(request))
  const columns = new Map(facts.columns.map((column) => [column.name, column]))
  for (const name of [...(binding.selected ?? []), ...binding.conditions.map(({ column }) => column)])
    if (columns.get(name)?.isReadable !== true)
      throw new FilterProblem(unable(request, `invalid column for filter ${name}`))
  for (const condition of binding.conditions) {
    const pattern = patternOf(condition)
    const problem = pattern === null ? null : await deps.patterns.problemOf(channel.grant.caller.role, pattern)
    if (problem !== null) throw new FilterProblem(unable(request, problem))
  }
  const conditions =
    binding.table === null ? binding.conditions : await castValues(deps, channel, { request, binding, facts })
  return { ...binding, conditions }
}

interface Casting {
  readonly request: JsonObject
  readonly binding: Binding
  readonly facts: TableFacts
}

/** The values of conditions as the server writes values of the columns' types. @throws FilterProblem for one of no such type */
async function castValues(
  { session }: SubscriptionsDeps,
  { grant: { caller }, subTopic }: Channel,
  { request, binding, facts }: Casting,
): Promise<readonly Condition[]> {
  const columns = new Map(facts.columns.map((column) => [column.name, column]))
  const cast: Condition[] = []
  for (const condition of binding.conditions) {
    const column = columns.get(condition.column)
    if (column === undefined) continue
    checkOperator(request, condition, column)
    if (!isCast(condition)) {
      cast.push(condition)
      continue
    }
    try {
      const { rows } = await session.run<{ value: string }>({
        role: caller.role,
        settings: settingsOf(caller, subTopic),
        statement: {
          text: `select (v.value::${column.typeName})::text as value
            from pg_catalog.unnest($1::text[]) with ordinality as v (value, place) order by v.place`,
          values: [condition.values],
        },
        readOnly: true,
        attribute: false,
        end: 'commit',
        context: null,
      })
      cast.push({ ...condition, values: rows.map(({ value }) => textForm(column, value)) })
    } catch (error) {
      if (!isDatabaseError(error)) throw error
      throw new FilterProblem(unable(request, messageOf(error)))
    }
  }
  return cast
}

/** A boolean's text in rows is one letter, and a whole word where it is cast. */
const textForm = ({ baseType }: ColumnFacts, value: string): string =>
  baseType === 'bool' ? (value === 'true' ? 't' : 'f') : value

const patternOperators: ReadonlySet<string> = new Set(['like', 'ilike', 'match', 'imatch'])

const isCast = ({ operator }: Condition): boolean => operator !== 'is' && !patternOperators.has(operator)

function checkOperator(
  request: JsonObject,
  { operator, values }: Condition,
  { category, baseType }: ColumnFacts,
): void {
  if (patternOperators.has(operator) && category !== 'S')
    throw new FilterProblem(unable(request, `operator ${operator} needs a text column`))
  const isBooleanTest = operator === 'is' && values[0]?.toLowerCase() !== 'null'
  if (isBooleanTest && baseType !== 'bool') throw new FilterProblem(unable(request, 'is.true needs a boolean column'))
}
