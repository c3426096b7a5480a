import { personRows, type Sql } from '../../engines/postgres/index.ts'
import type { PersonStore } from '../../ground/privacy/person.ts'

/**
 * Runs of jobs whose command or message names a person: the run stays, and the name goes.
 *
 * @param owner the application's, who may have put a table of its own in the place of the extension's
 */
export const cronPersonStore = (owner: Pick<Sql, 'query'>): PersonStore =>
  personRows(owner, {
    name: 'runs of jobs',
    table: ['cron', 'job_run_details'],
    texts: { command: 'text', return_message: 'text' },
  })
