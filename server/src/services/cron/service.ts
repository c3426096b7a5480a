import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { createJobs, type JobsDeps } from './console/jobs.ts'
import { jobRoutes } from './console/routes.ts'
import type { Cron } from './cron.ts'

/** Scheduled jobs: their numbers, their health, and their part of the console. */
export const cronService = (
  cron: Cron,
  { actions, ...deps }: Omit<JobsDeps, 'cron'> & { readonly actions: OperatorActions },
) => ({
  console: [jobRoutes(createJobs({ cron, ...deps }), actions)],
  gauges: [
    { name: 'clew_cron_jobs', help: 'Active jobs in cron.job', read: () => cron.gauges().jobs },
    { name: 'clew_cron_running', help: 'Jobs that run', read: () => cron.gauges().running },
    { name: 'clew_cron_waiting', help: 'Runs of jobs that are due and wait', read: () => cron.gauges().waiting },
    {
      name: 'clew_cron_failed_runs_total',
      help: 'Runs of jobs that failed since the start of the process',
      read: () => cron.gauges().failed,
    },
  ],
  health: cron.health,
  close: cron.close,
})
