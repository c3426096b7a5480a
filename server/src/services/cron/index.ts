export { type Cron, type CronDeps, createCron } from './cron.ts'
export { cronError } from './errors.ts'
export { readCalendar } from './schedule/read-calendar.ts'
export { cronService } from './service.ts'
