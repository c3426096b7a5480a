import type { EngineHealth } from '../../ground/model/health.ts'
import { repeatedly } from '../../ground/retry/repeatedly.ts'
import type { WatchedBudgets } from './kinds.ts'
import type { MeasureDeps, Sizes } from './measure.ts'

interface BudgetsDeps {
  readonly watched: WatchedBudgets
  /** Bytes of files from which on no more are taken; null for none. */
  readonly filesLimitBytes: number | null
  readonly files: MeasureDeps['others']['files']
  readonly sizes: () => Promise<Sizes>
}

/** A budget that is only watched, and the share of it that is taken. */
export interface WatchedBudget {
  readonly kind: keyof WatchedBudgets
  readonly percent: number
  /** What is taken, of how much, and by which setting. */
  readonly detail: string
}

const lookEveryMs = 60_000

/** The budgets of what no clean-up deletes, and the limit of files. */
export function createBudgets({ watched, filesLimitBytes, files, sizes }: BudgetsDeps) {
  const hasSome = filesLimitBytes !== null || Object.values(watched).some((bytes) => bytes !== null)
  let areFilesFull = false
  let reached: readonly WatchedBudget[] = []

  async function read(): Promise<readonly WatchedBudget[]> {
    if (Object.values(watched).every((bytes) => bytes === null)) return []
    const found = await sizes()
    return Object.entries(watched).flatMap(([name, budgetBytes]) => {
      // The keys of a record of kinds.
      const kind = name as keyof WatchedBudgets
      const bytes = found.get(kind)
      if (budgetBytes === null || bytes === undefined) return []
      const taken = `${labels[kind]} ${mibOf(bytes)} MiB of ${mibOf(budgetBytes)} (${settingOf(kind, budgetBytes)} of [disk]).`
      const detail = kind === 'files' && areFilesFull ? `${taken} ${filesFull}` : taken
      return [{ kind, percent: (bytes / budgetBytes) * 100, detail }]
    })
  }
  const settingOf = (kind: keyof WatchedBudgets, budgetBytes: number): string =>
    kind === 'files' && budgetBytes === filesLimitBytes ? 'files_limit_mib' : `${kind}_mib`

  const looking = repeatedly(async () => {
    if (files !== undefined && filesLimitBytes !== null) {
      // What cannot be counted now stays as it was.
      const bytes = await files.bytes().catch(() => null)
      if (bytes !== null) areFilesFull = bytes >= filesLimitBytes
    }
    reached = (await read()).filter(({ percent }) => percent >= 100)
  }, lookEveryMs)

  return {
    read,
    areFilesFull: () => areFilesFull,
    look: looking.now,
    /** As it was within the last minute; null where there is no budget. */
    health: hasSome ? () => describeHealth(reached, areFilesFull) : null,
    start: looking.start,
    close: looking.close,
  }
}

/** A budget that is reached keeps nothing from serving. */
function describeHealth(reached: readonly WatchedBudget[], areFilesFull: boolean): EngineHealth {
  const namesFiles = reached.some(({ kind }) => kind === 'files')
  const sentences = [...reached.map(({ detail }) => detail), ...(areFilesFull && !namesFiles ? [filesFull] : [])]
  return sentences.length === 0
    ? { name: 'budgets', state: 'up', detail: 'No budget of [disk] is reached.', pid: null }
    : { name: 'budgets', state: 'degraded', detail: sentences.join(' '), pid: null }
}

const filesFull = 'Storage takes no more files, and answers 507 until some are removed.'

const labels: Readonly<Record<keyof WatchedBudgets, string>> = {
  database: 'PostgreSQL takes',
  files: 'Files take',
  backups: 'Backups take',
}

const mibOf = (bytes: number): number => Math.floor(bytes / 1024 ** 2)
