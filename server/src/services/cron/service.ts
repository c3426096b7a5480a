import type { Cron } from './cron.ts'

/** The numbers and health of scheduled jobs. */
export const cronService = (cron: Cron) => ({
  gauges: [
    { name: 'clew_cron_jobs', help: 'Active jobs in cron.job', read: () => cron.gauges().jobs },
    { name: 'clew_cron_running', help: 'Jobs that run', read: () => cron.gauges().running },
    { name: 'clew_cron_waiting', help: 'Runs of jobs that are due and wait', read: () => cron.gauges().waiting },
    {
      name: 'clew_cron_failed_runs',
      help: 'Runs of jobs that failed since the start of the process',
      read: () => cron.gauges().failed,
    },
  ],
  health: cron.health,
  close: cron.close,
})
