import Type from 'typebox'
import { type Declared, matching, setting, type Values } from '../../ground/settings/setting.ts'

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The settings of scheduled jobs (`pg_cron`). */
export const cronSettings = {
  timeZone: setting(matching({ allowed: 'a time zone (GMT, Europe/Berlin)', fits: isTimeZone }), {
    default: 'GMT',
    description: 'The time zone in which the schedules of jobs are read, as cron.timezone of pg_cron.',
  }),
  maxRunningJobs: setting(Type.Integer({ minimum: 1, maximum: 60 }), {
    limit: true,
    default: 32,
    description: 'Jobs that run at a time, each on a connection of its own to PostgreSQL; others wait.',
  }),
  runDetailsDays: setting(Type.Integer({ minimum: 0, maximum: 3650 }), {
    limit: true,
    default: 30,
    description: 'Days for which the runs of jobs are kept in cron.job_run_details; 0 keeps them for ever.',
  }),
} as const satisfies Declared

/** The values of `cronSettings`. */
export type CronSettings = Values<typeof cronSettings>
