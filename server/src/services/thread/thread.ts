import { type Answers, type AnswersDeps, createAnswers } from './answer/answers.ts'
import { createLinks } from './record/links.ts'
import { createRecorder, type Recorder, type RecorderDeps } from './record/recorder.ts'

/** The engines, settings and rooms that the thread is made of; `ports.ts` says what it asks of each room. */
export type ThreadDeps = Omit<RecorderDeps, 'links' | 'linkUser'> & Omit<AnswersDeps, 'links'>

/** The thread: from a person's click to the request, the SQL, the row; and back. */
export type Thread = Recorder & Answers

/**
 * Its tables in PostgreSQL must be there; those in ClickHouse may come later, what cannot be stored yet
 * is tried again.
 */
export async function createThread(deps: ThreadDeps): Promise<Thread> {
  const links = createLinks(deps.sql)
  const recorder = await createRecorder({ ...deps, links, linkUser: deps.people.linkUser })
  const answers = createAnswers({ ...deps, links })
  return {
    ...recorder,
    ...answers,
    async close() {
      await recorder.close()
      await answers.close()
    },
  }
}
