import { setTimeout as delay } from 'node:timers/promises'
import type { Commands } from '../../engines/postgres/index.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import { type LiveNotices, unwatched } from '../../ground/model/live.ts'
import type { Log } from '../../ground/model/log.ts'
import { noOthers, type OpenTopic } from '../../ground/model/topic.ts'
import { cronError } from './errors.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import type { CronSettings } from './settings.ts'

/** The channel on which `cron.job` says that it has changed. */
const channel = 'clew_cron'
/** The advisory lock of the process that runs the jobs of a database: `clew` and `cron` in ASCII, shortened. */
const lockKey = 0x636c6577
const stopGraceMs = 5_000

/** The dependencies of the jobs. */
export interface CronDeps {
  /** Null on an external server. */
  readonly commands: Commands | null
  readonly listen: (channel: string, onNotify: () => void, onConnect: () => void) => Promise<() => Promise<void>>
  readonly settings: CronSettings
  /** Joins the processes of the database; this one is alone where nothing is given. */
  readonly topic?: OpenTopic
  readonly now: () => Date
  /** Hears of jobs and runs. */
  readonly live?: LiveNotices
  readonly log: Pick<Log, 'warn'>
}

/** Jobs that PostgreSQL schedules and this process runs. */
export interface Cron {
  gauges: Scheduler['gauges']
  /** The time zone of the schedules. */
  readonly timeZone: string
  /**
   * Adds a run of an active job now, in whichever process runs the jobs.
   *
   * @throws CLEW_CRON_RUNS_ELSEWHERE where the server's own extension does
   */
  runNow(jobId: string): void
  health(): EngineHealth
  /** Lets running jobs end for five seconds, then cancels them. */
  close(): Promise<void>
}

/** Runs the jobs of `cron.job` while no other process on the database does. */
export async function createCron({
  commands,
  listen,
  topic = noOthers,
  live = unwatched,
  ...deps
}: CronDeps): Promise<Cron> {
  if (commands === null) return nothingScheduled(deps.settings.timeZone)
  const others = topic<string>('cron.runs')
  let timer: NodeJS.Timeout | null = null
  let leads = false

  const wake = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (!leads) return
    void scheduler.tick().then(() => {
      if (!leads) return
      if (timer !== null) clearTimeout(timer)
      timer = setTimeout(wake, scheduler.untilNextTick()).unref()
    })
  }
  const scheduler = createScheduler({ ...deps, commands, onRunEnded: wake, onWritten: () => live.announce('jobs') })
  const changed = (): void => {
    scheduler.changed()
    live.announce('jobs')
    wake()
  }

  const stopHearing = others.hear((jobId) => void (leads && scheduler.runNow(jobId)))
  const stopListening = await listen(channel, changed, changed)
  const release = await commands.hold(lockKey, {
    onHeld() {
      leads = true
      scheduler.begin()
      wake()
    },
    onLost() {
      leads = false
    },
  })
  return {
    gauges: scheduler.gauges,
    timeZone: deps.settings.timeZone,
    runNow(jobId) {
      if (leads) scheduler.runNow(jobId)
      else others.tell(jobId)
    },
    health: () => describe(leads, scheduler.gauges()),
    async close() {
      leads = false
      wake()
      stopHearing()
      await stopListening()
      await Promise.race([scheduler.settled(), delay(stopGraceMs, undefined, { ref: false })])
      scheduler.cancelAll()
      await Promise.race([scheduler.settled(), delay(stopGraceMs, undefined, { ref: false })])
      await release()
    },
  }
}

function describe(leads: boolean, { jobs, running }: ReturnType<Scheduler['gauges']>): EngineHealth {
  const detail = leads ? `${jobs} jobs are scheduled, ${running} run` : 'another process runs the jobs of this database'
  return { name: 'cron', state: 'up', detail, pid: null }
}

const nothingScheduled = (timeZone: string): Cron => ({
  timeZone,
  runNow() {
    throw cronError('CLEW_CRON_RUNS_ELSEWHERE')
  },
  gauges: () => ({ jobs: 0, running: 0, waiting: 0, failed: 0 }),
  health: () => ({
    name: 'cron',
    state: 'off',
    detail: 'jobs are scheduled by the external server’s own pg_cron, where it has one',
    pid: null,
  }),
  close: async () => undefined,
})
