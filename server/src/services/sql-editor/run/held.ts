import type { EditorConnection } from '../../../engines/postgres/index.ts'
import type { OpenTopic } from '../../../ground/model/topic.ts'

/** What is done with a change that waits. */
export type Decision = 'commit' | 'rollback'

/** A transaction that waits for its operator's word. */
export interface HeldRun {
  readonly id: string
  readonly operator: string
  readonly connection: EditorConnection
  /** Called once, with what became of it. */
  readonly ended: (decision: Decision, failure: string | null) => void
}

/** What became of a decision: the database's message where it refused the commit; null where the run is not held. */
export type Decided = { readonly failure: string | null } | null

/** Transactions that wait to be committed, each for a time. */
export interface HeldRuns {
  add(run: HeldRun): void
  /** Asks the process that holds the run, whichever it is. */
  decide(id: string, operator: string, decision: Decision): Promise<Decided>
  /** Rolls all back. */
  close(): Promise<void>
}

interface Asked {
  readonly id: string
  readonly operator: string
  readonly decision: Decision
}

interface DecisionAnswer extends Pick<Asked, 'id'> {
  readonly failure: string | null
}

/** How long another process has for its answer that it holds the run. */
const answerMs = 2_000

/** @param holdMs after which a run is rolled back */
export function createHeldRuns(topic: OpenTopic, holdMs: number): HeldRuns {
  const held = new Map<string, HeldRun & { readonly timer: NodeJS.Timeout }>()
  const waiting = new Map<string, (answer: DecisionAnswer) => void>()
  const questions = topic<Asked>('sql-editor.decisions')
  const answers = topic<DecisionAnswer>('sql-editor.decided')

  const end = async (id: string, decision: Decision): Promise<DecisionAnswer | null> => {
    const run = held.get(id)
    if (run === undefined) return null
    held.delete(id)
    clearTimeout(run.timer)
    let failure: string | null = null
    try {
      await (decision === 'commit' ? run.connection.commit() : run.connection.rollback())
    } catch (error) {
      // Checks that wait for the commit, and a connection that has ended meanwhile.
      failure = error instanceof Error ? error.message : String(error)
    } finally {
      await run.connection.close()
    }
    run.ended(decision, failure)
    return { id, failure }
  }

  const endOwn = ({ id, operator, decision }: Asked): Promise<DecisionAnswer | null> =>
    held.get(id)?.operator === operator ? end(id, decision) : Promise.resolve(null)

  const stopHearing = [
    questions.hear((asked) => void endOwn(asked).then((answer) => answer !== null && answers.tell(answer))),
    answers.hear((answer) => waiting.get(answer.id)?.(answer)),
  ]

  const askOthers = (asked: Asked): Promise<Decided> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => settle(null), answerMs)
      const settle = (answer: Decided): void => {
        clearTimeout(timer)
        waiting.delete(asked.id)
        resolve(answer)
      }
      waiting.set(asked.id, settle)
      questions.tell(asked)
    })

  return {
    add(run) {
      const timer = setTimeout(() => void end(run.id, 'rollback'), holdMs)
      timer.unref()
      held.set(run.id, { ...run, timer })
    },
    async decide(id, operator, decision) {
      const asked = { id, operator, decision }
      return (await endOwn(asked)) ?? askOthers(asked)
    },
    async close() {
      for (const stop of stopHearing) stop()
      await Promise.all([...held.keys()].map((id) => end(id, 'rollback')))
    },
  }
}
