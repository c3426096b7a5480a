import type { RowValues } from '../../../ground/model/change.ts'
import type { TableFacts } from './facts.ts'
import { matchesAll, matchesPatterns, patternTests } from './matches.ts'
import type { ForRole, Waiting } from './part.ts'
import { type PatternAnswers, type Patterns, patternKey, patternOf } from './patterns.ts'
import type { LiveChange } from './payload.ts'
import { type Audience, groupBy, type Listeners, type Registry, type Subscription } from './registry.ts'
import type { FactsReader } from './table-facts.ts'

/** The dependencies of `fitListeners`. */
export interface FitDeps {
  readonly facts: FactsReader
  readonly patterns: Patterns
  readonly registry: Registry
}

/** A change with the values that conditions are held against, and those who ask for it. */
interface Candidate extends ForRole {
  readonly audience: Audience
  readonly row: RowValues
}

/** The subscriptions whose conditions changes fulfil, by the roles of their callers, in the order of the changes. */
export async function fitListeners(deps: FitDeps, batch: readonly Waiting[]): Promise<readonly ForRole[]> {
  const candidates = (await Promise.all(batch.map((each) => candidatesOf(deps.facts, each)))).flat()
  const answers = new Map<string, PatternAnswers>()
  for (const [role, ofRole] of groupBy(candidates, (each) => each.role)) {
    const tests = ofRole.flatMap(({ listeners, row, audience }) =>
      audience.hasConditions
        ? listeners.flatMap(({ subscriptions }) =>
            subscriptions.flatMap(({ binding }) => patternTests(binding.conditions, row)),
          )
        : [],
    )
    const answered = await deps.patterns.ask(role, tests)
    answers.set(role, answered)
    if (answered.failed.size > 0) endFailed(deps.registry, ofRole, answered.failed)
  }
  return candidates.flatMap((candidate) => {
    const { audience, role, row } = candidate
    const answered = answers.get(role)
    const listeners =
      audience.hasConditions && answered !== undefined
        ? filtered(candidate.listeners, ({ binding }) => matchesPatterns(binding.conditions, row, answered))
        : candidate.listeners
    return listeners.length === 0 ? [] : { ...candidate, listeners }
  })
}

/** By role, those whose conditions hold, patterns aside. */
async function candidatesOf(
  facts: FactsReader,
  { change, committedAt, xid, cause, audiences }: Waiting,
): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = []
  for (const audience of audiences) {
    const { role } = audience
    const table = await readFacts(facts, change, role)
    if (table === null || !table.published[change.operation]) continue
    const row = audience.hasConditions ? comparedRow(change, table) : {}
    const listeners = audience.hasConditions ? matching(audience.listeners, row, table) : audience.listeners
    if (listeners.length > 0)
      candidates.push({
        ...{ change, committedAt, xid, cause, role, facts: table, listeners, audience, row },
        ...{ visibleTo: null, asked: new Map() },
      })
  }
  return candidates
}

function matching(listeners: readonly Listeners[], row: RowValues, table: TableFacts): readonly Listeners[] {
  const columns = new Map(table.columns.map((column) => [column.name, column]))
  return filtered(listeners, ({ binding }) => matchesAll(binding.conditions, row, columns))
}

function filtered(
  listeners: readonly Listeners[],
  fits: (subscription: Subscription) => boolean,
): readonly Listeners[] {
  return listeners.flatMap(({ claims, subscriptions }) => {
    const fitting = subscriptions.filter(fits)
    return fitting.length === 0 ? [] : { claims, subscriptions: fitting }
  })
}

/** The facts of a table; asked again where the change's columns are others, or of other types, than when it was asked last. */
async function readFacts(facts: FactsReader, change: LiveChange, role: string): Promise<TableFacts | null> {
  const { id } = change.relation
  facts.describedAs(id, change.types)
  return facts.read(id, role)
}

/** The values that conditions are held against: of a deleted row, those of its replica identity. */
function comparedRow({ operation, new: fresh, old }: LiveChange, { columns }: TableFacts): RowValues {
  if (operation !== 'delete') return fresh ?? {}
  const identity = new Set(columns.filter(({ isIdentity }) => isIdentity).map(({ name }) => name))
  return Object.fromEntries(Object.entries(old ?? {}).filter(([name]) => identity.has(name)))
}

/** A pattern that takes too long ends its subscriptions, so that it holds up the others once. */
function endFailed(registry: Registry, candidates: readonly Candidate[], failed: ReadonlySet<string>): void {
  const ended = new Set(
    candidates.flatMap(({ listeners }) => listeners.flatMap(({ subscriptions }) => subscriptions.filter(hasFailed))),
  )
  function hasFailed({ binding }: Subscription): boolean {
    return binding.conditions.some((condition) => {
      const pattern = patternOf(condition)
      return pattern !== null && failed.has(patternKey(pattern))
    })
  }
  for (const subscription of ended) {
    registry.remove(subscription)
    subscription.channel.tell(
      'postgres_changes',
      'error',
      'The subscription has ended: the pattern of its filter takes too long',
    )
  }
}
