import { setTimeout as delay } from 'node:timers/promises'
import type { ErasedTable } from '../../../ground/privacy/account.ts'
import { type ErasureFacts, signCertificate } from '../../../ground/privacy/certificate.ts'
import type { ErasureWork, Subject } from '../../../ground/privacy/person.ts'
import { createLeasedWork, type LeasedWork } from '../leased-work.ts'
import type { ErasuresDeps } from './deps.ts'
import { searchEverywhere } from './search.ts'
import {
  type ErasureRow,
  type ErasureStep,
  erasureAtStatement,
  erasureDoneStatement,
  erasureStepStatement,
  erasureTable,
} from './store.ts'

/** No batch of a healthy engine takes longer. */
const usualSettleMs = 10_000
const passes = [1, 2]
const accountStore = 'account'
const searchStore = 'search'

/** Names the transaction that deletes an account, in the history of rows. */
export const causeOf = (erasureId: string): string => `erasure:${erasureId}`

/**
 * Works erasures off: the account with the rows of the application first, so that the user signs in no more, then each
 * store; all of it once more for what was on its way; at last a search, and the certificate.
 */
export function createErasureWork(deps: ErasuresDeps): LeasedWork {
  const { sql, stores, settleMs = usualSettleMs } = deps
  const steps = (stores.length + 1) * passes.length + 1
  return createLeasedWork<ErasureRow>({
    ...{ sql, table: erasureTable, steps, leaseMs: deps.leaseMs },
    async work(job, signal) {
      if (job.subject === null) throw new Error('The names of the person are gone.')
      const done = [...job.done]
      // A hold that was placed after the erasure was asked for wins while nothing has been removed.
      const [hold] = done.length > 0 ? [] : await deps.holdsOn(job.subject)
      if (hold !== undefined) throw new Error(`A legal hold keeps data of this person: ${hold.reason}`)
      for (const pass of passes) {
        if (pass > 1) {
          await deps.changesCaughtUp(signal)
          await delay(settleMs, undefined, { signal, ref: false })
        }
        for (const step of stepsOf(deps, job, job.subject)) {
          if (done.some((each) => each.pass === pass && each.store === step.store)) continue
          signal.throwIfAborted()
          const at = () => sql.query(erasureAtStatement(job.id, step.store))
          await at()
          const outcome = await step.erase({ signal, cause: causeOf(job.id), progress: async () => void (await at()) })
          const ended = { pass, store: step.store, ...outcome }
          await sql.query(erasureStepStatement(job.id, ended))
          done.push(ended)
        }
      }
      const search = await searchEverywhere(deps, job.subject, {
        signal,
        at: async (table) => void (await sql.query(erasureAtStatement(job.id, `${searchStore}: ${table}`))),
      })
      const completedAt = deps.now()
      const facts = await certify(deps, { ...job, subject: job.subject, done }, search, completedAt)
      await sql.query(erasureDoneStatement(job.id, signCertificate(facts, deps.key()), completedAt))
    },
    failure: 'privacy: a person could not be erased yet',
    log: deps.log,
  })
}

interface Step {
  readonly store: string
  readonly erase: (work: ErasureWork) => Promise<Omit<ErasureStep, 'pass' | 'store'>>
}

function stepsOf({ stores, account }: ErasuresDeps, { choices }: ErasureRow, subject: Subject): readonly Step[] {
  const { userId } = subject
  const ofAccount: Step = {
    store: accountStore,
    async erase({ cause }) {
      if (userId === null) return { removed: 0, rewritten: 0, tables: [] }
      const outcome = await account.erase(userId, choices, { cause, end: 'commit' })
      if (outcome.kind === 'refused') throw new Error(`The account could not be deleted: ${outcome.refusal.message}`)
      return { removed: outcome.accounts, rewritten: 0, tables: outcome.tables }
    },
  }
  return [ofAccount, ...stores.map(({ name, erase }): Step => ({ store: name, erase: (work) => erase(subject, work) }))]
}

async function certify(
  { key, backups }: ErasuresDeps,
  job: ErasureRow & { readonly subject: Subject },
  search: ErasureFacts['search'],
  completedAt: Date,
): Promise<ErasureFacts> {
  const { personId, userId, texts } = job.subject
  const { count, until } = await backups()
  const names = [personId, userId, ...texts].filter((name) => name !== null)
  return {
    ...{ kind: 'erasure', version: 1, id: job.id },
    requestedAt: job.createdAt.toISOString(),
    completedAt: completedAt.toISOString(),
    requestedByRole: job.createdByRole,
    subject: names.map(key().digest).toSorted(),
    stores: sumByStore(job.done),
    tables: sumByTable(job.done.flatMap(({ tables = [] }) => tables)),
    refusesFuture: job.refuses,
    search,
    backups: { count, until: until?.toISOString() ?? null },
  }
}

/** The rows of both passes together, for each store. */
export function sumByStore(done: readonly ErasureStep[]): ErasureFacts['stores'] {
  const sums = new Map<string, { removed: number; rewritten: number }>()
  for (const { store, removed, rewritten } of done) {
    const before = sums.get(store) ?? { removed: 0, rewritten: 0 }
    sums.set(store, { removed: before.removed + removed, rewritten: before.rewritten + rewritten })
  }
  return [...sums].map(([store, sum]) => ({ store, ...sum }))
}

function sumByTable(tables: readonly ErasedTable[]): readonly ErasedTable[] {
  const sums = new Map<string, ErasedTable>()
  for (const each of tables) {
    const name = JSON.stringify([each.table, each.column, each.action])
    sums.set(name, { ...each, rows: each.rows + (sums.get(name)?.rows ?? 0) })
  }
  return [...sums.values()]
}
