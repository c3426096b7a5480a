import { createHash } from 'node:crypto'
import { type BulkConnection, isDatabaseError, sqlStateOf } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { insertStepsStatement, selectStepsStatement } from './journal.ts'
import type { ImportReport } from './report.ts'
import { planStanding } from './standing.ts'

/** The steps of one import, each of which is done once, however often the import is started. */
export interface Steps {
  /** Names a statement, the second of two equal ones apart from the first. */
  nameOf(text: string): string
  isDone(step: string): boolean
  /** Runs a body in one transaction with the note that these steps are done. */
  run(steps: readonly string[], body: () => Promise<void>): Promise<void>
  /**
   * Runs a step unless it is done. An error of the database is reported as `what`, and the import goes on. `text` is the
   * statement that the step runs, where it is one: what it makes may stand already.
   */
  once(step: string, what: string, body: () => Promise<void>, text?: string): Promise<void>
}

/** The dependencies of `openSteps`. */
export interface StepsDeps {
  readonly target: BulkConnection
  /** The source's name in the journal. */
  readonly source: string
  readonly report: ImportReport
}

/** Reads from the journal which steps of the source are done. */
export async function openSteps({ target, source, report }: StepsDeps): Promise<Steps> {
  const { rows } = await target.query<{ step: string }>(selectStepsStatement(source))
  const done = new Set(rows.map(({ step }) => step))
  const occurrences = new Map<string, number>()

  const run = async (steps: readonly string[], body: () => Promise<void>): Promise<void> => {
    await target.transaction(async () => {
      await body()
      await target.query(insertStepsStatement(source, steps))
    })
    for (const step of steps) done.add(step)
  }

  return {
    nameOf(text) {
      const hash = createHash('sha256').update(text).digest('hex').slice(0, 32)
      const before = occurrences.get(hash) ?? 0
      occurrences.set(hash, before + 1)
      return before === 0 ? hash : `${hash}#${before}`
    },
    isDone: (step) => done.has(step),
    run,
    async once(step, what, body, text = '') {
      if (done.has(step)) {
        report.alreadyThere += 1
        return
      }
      try {
        await run([step], body)
      } catch (error) {
        if (!isDatabaseError(error)) throw error
        const standing = planStanding(text, sqlStateOf(error) ?? '')
        const stands = typeof standing === 'boolean' ? standing : (await target.query(standing)).rows.length > 0
        if (stands) report.alreadyThere += 1
        else report.failed.push({ what, reason: messageOf(error) })
      }
    },
  }
}
