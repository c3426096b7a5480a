import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the console's jobs. */
export const cronError = catalogue({
  CLEW_CRON_JOB_NOT_FOUND: {
    status: 404,
    message: 'There is no such job.',
    hint: 'It may have been unscheduled: reload the list.',
  },
  CLEW_CRON_RUN_NOT_FOUND: {
    status: 404,
    message: 'There is no such run.',
    hint: 'Runs are deleted after run_details_days of [cron].',
  },
  CLEW_CRON_NOT_ACTIVE: {
    status: 409,
    message: 'The job is not active.',
    hint: 'Activate it, then run it.',
  },
  CLEW_CRON_REFUSED: {
    status: 409,
    message: 'PostgreSQL refused the change.',
    hint: 'A job belongs to the role that scheduled it; the console acts as `postgres`.',
  },
  CLEW_CRON_RUNS_ELSEWHERE: {
    status: 409,
    message: 'Another process runs the jobs of this database.',
    hint: 'Use the console of that process; on an external server, run the command in SQL.',
  },
})
