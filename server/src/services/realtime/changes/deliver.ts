import { messageOf } from '../../../ground/errors/message.ts'
import type { ChangeTransaction, RowValues } from '../../../ground/model/change.ts'
import type { Channel } from '../channel/channel.ts'
import { encodeRaw, type ServerFrame } from '../wire/encode.ts'
import type { TableFacts } from './facts.ts'
import { matchesAll } from './matches.ts'
import { isLiveChange, type LiveChange, operationName, renderData } from './payload.ts'
import type { Registry, Subscription } from './registry.ts'
import type { FactsReader } from './table-facts.ts'
import type { FindVisible } from './visible.ts'

/** The dependencies of `createDelivery`. */
export interface DeliveryDeps {
  readonly registry: Registry
  readonly facts: FactsReader
  readonly findVisible: FindVisible
  readonly log: { warn(details: object, message: string): void }
}

/** Brings row changes to the channels that ask for them, in the order of their commits. */
export interface Delivery {
  /** Takes a transaction; resolves when there is room for the next one, so that nothing is dropped and nothing piles up. */
  take(transaction: ChangeTransaction): Promise<void>
}

/** A change with the subscriptions of its table. */
interface Waiting {
  readonly change: LiveChange
  readonly committedAt: Date
  readonly subscriptions: readonly Subscription[]
}

/** A change that waits for its turn takes memory: with more of them, the stream waits. */
const mostWaiting = 2000
/** So many are asked about in one statement. */
const batchChanges = 200

export function createDelivery(deps: DeliveryDeps): Delivery {
  const waiting: Waiting[] = []
  let isRunning = false
  let wake: () => void = () => undefined

  const run = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) {
      await deliverBatch(deps, waiting.splice(0, batchChanges)).catch((error: unknown) =>
        deps.log.warn({ err: error }, `realtime: changes are not delivered: ${messageOf(error)}`),
      )
      wake()
    }
    isRunning = false
  }

  return {
    async take({ changes, committedAt }) {
      for (const change of changes) {
        if (!isLiveChange(change)) continue
        const subscriptions = deps.registry.of(change)
        if (subscriptions.length > 0) waiting.push({ change, committedAt, subscriptions })
      }
      if (!isRunning) void run()
      while (waiting.length > mostWaiting)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
  }
}

/** One change for the callers of one role. */
interface ForRole extends Waiting {
  readonly role: string
  readonly facts: TableFacts
  /** Places of callers' claims that may see the row; null where all may. */
  visibleTo: ReadonlySet<string> | null
}

async function deliverBatch(deps: DeliveryDeps, batch: readonly Waiting[]): Promise<void> {
  const parts = (await Promise.all(batch.map((each) => splitByRole(deps, each)))).flat()
  await findReaders(deps, parts)
  for (const part of parts) send(part)
}

/** The subscriptions whose conditions a change fulfils, by the role of their callers. */
async function splitByRole({ facts }: DeliveryDeps, waiting: Waiting): Promise<readonly ForRole[]> {
  const { change, subscriptions } = waiting
  const byRole = new Map<string, Subscription[]>()
  for (const subscription of subscriptions) {
    const { event } = subscription.binding
    if (event !== '*' && event !== operationName(change.operation)) continue
    const { role } = subscription.channel.grant.caller
    const known = byRole.get(role)
    if (known === undefined) byRole.set(role, [subscription])
    else known.push(subscription)
  }
  const parts: ForRole[] = []
  for (const [role, ofRole] of byRole) {
    const table = await readFacts(facts, change, role)
    if (table === null || !table.published[change.operation]) continue
    const columns = new Map(table.columns.map((column) => [column.name, column]))
    const row = comparedRow(change, table)
    const fitting = ofRole.filter(({ binding }) => matchesAll(binding.conditions, row, columns))
    if (fitting.length > 0) parts.push({ ...waiting, subscriptions: fitting, role, facts: table, visibleTo: null })
  }
  return parts
}

/** The facts of a table; asked again where the change has a column that they lack. */
async function readFacts(facts: FactsReader, change: LiveChange, role: string): Promise<TableFacts | null> {
  const { id } = change.relation
  const known = await facts.read(id, role)
  const names = new Set(known?.columns.map(({ name }) => name))
  if (known !== null && Object.keys(change.types).every((name) => names.has(name))) return known
  facts.forget(id, role)
  return facts.read(id, role)
}

/** The values that conditions are held against: of a deleted row, those of its replica identity. */
function comparedRow({ operation, new: fresh, old }: LiveChange, { columns }: TableFacts): RowValues {
  if (operation !== 'delete') return fresh ?? {}
  const identity = new Set(columns.filter(({ isIdentity }) => isIdentity).map(({ name }) => name))
  return Object.fromEntries(Object.entries(old ?? {}).filter(([name]) => identity.has(name)))
}

/** Asks for each table and role, in one statement, which callers see which of the rows. */
async function findReaders({ findVisible, log }: DeliveryDeps, parts: readonly ForRole[]): Promise<void> {
  const guarded = parts.filter(
    ({ facts, change }) =>
      facts.hasPolicies && change.operation !== 'delete' && facts.columns.some(({ isKey }) => isKey),
  )
  const groups = new Map<string, ForRole[]>()
  for (const part of guarded) {
    const key = `${part.change.relation.id} ${part.role}`
    groups.set(key, [...(groups.get(key) ?? []), part])
  }
  await Promise.all(
    [...groups.values()].map(async (group) => {
      const [first] = group
      if (first === undefined) return
      const claims = [...new Set(group.flatMap(({ subscriptions }) => subscriptions.map(claimsOf)))]
      const keys = group.map(({ change }) => change.key)
      const seen = await findVisible(first.facts, first.role, claims, keys).catch((error: unknown) => {
        // What cannot be asked is not shown.
        log.warn({ err: error, table: first.facts.name, role: first.role }, 'realtime: visibility is not known')
        return claims.map(() => new Set<number>())
      })
      group.forEach((part, index) => {
        part.visibleTo = new Set(claims.filter((_, place) => seen[place]?.has(index + 1)))
      })
    }),
  )
}

const claimsOf = ({ channel }: Subscription): string => channel.grant.caller.claimsJson

/** Sends a change to each channel once, with the numbers of all its bindings; a frame of equal content is made once. */
function send({ change, committedAt, subscriptions, facts, visibleTo }: ForRole): void {
  const data = new Map<string, string>()
  const frames = new Map<string, ServerFrame>()
  const wanted = new Map<Channel, { readonly ids: number[]; readonly selected: (readonly string[] | null)[] }>()
  for (const subscription of subscriptions) {
    if (visibleTo !== null && !visibleTo.has(claimsOf(subscription))) continue
    const { channel, binding } = subscription
    const known = wanted.get(channel) ?? { ids: [], selected: [] }
    known.ids.push(binding.id)
    known.selected.push(binding.selected)
    wanted.set(channel, known)
  }
  for (const [channel, { ids, selected }] of wanted) {
    // Bindings of one channel share a message: it holds what any of them has asked for.
    const shown = selected.includes(null) ? null : [...new Set(selected.flatMap((names) => names ?? []))].sort()
    const dataKey = JSON.stringify(shown)
    const text = data.get(dataKey) ?? renderData(change, facts, { committedAt, selected: shown })
    data.set(dataKey, text)
    const { topic, version, config } = channel
    const event = config.hasOldChanges ? operationName(change.operation) : 'postgres_changes'
    const payload = config.hasOldChanges ? text : `{"ids":${JSON.stringify(ids)},"data":${text}}`
    const frameKey = JSON.stringify([version, topic, event, ids, dataKey])
    const frame = frames.get(frameKey) ?? encodeRaw(version, { joinRef: null, ref: null, topic, event }, payload)
    frames.set(frameKey, frame)
    channel.send(frame)
  }
}
