import { X509Certificate } from 'node:crypto'
import type { ChangeWorker } from '../../change-worker/index.ts'
import type { Service } from '../../gateway/index.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import { type AlertsDeps, alertsService, createAlerts, type Reading } from '../../services/alerts/index.ts'
import type { Backups } from '../../services/backups/index.ts'
import { countFailedRuns } from '../../services/cron/index.ts'
import type { Disk } from '../../services/disk/index.ts'
import type { Inbox } from '../../services/inbox/index.ts'
import { readTraffic } from '../../services/thread/index.ts'
import type { Addresses } from '../addresses.ts'
import { planNotices } from '../errors.ts'
import type { ComposeInput } from '../instance.ts'
import type { JoinDeps } from '../shared.ts'

const minuteMs = 60_000
const hourSeconds = 3600
const dayMs = 24 * 60 * minuteMs

interface AlertsJoinDeps extends Pick<JoinDeps, 'shared' | 'actions'> {
  readonly addresses: Addresses
  readonly inbox: Inbox
  readonly backups: Backups | null
  readonly disk: Disk
  readonly changes: Pick<ChangeWorker, 'behindBytes'>
  /** How everything in this process is. */
  readonly health: () => Promise<readonly EngineHealth[]>
}

/** Alerts on what all rooms know of themselves. */
export function planInstanceAlerts(input: ComposeInput, deps: AlertsJoinDeps): Service {
  const { shared, addresses, inbox, actions } = deps
  const { alerts: settings } = input.settings
  const alerts = createAlerts({
    ...shared,
    settings,
    ...planNotices(input, addresses, inbox),
    measures: planMeasures(input, deps),
    changed: () => shared.live.announce('console'),
  })
  return alertsService(alerts, settings, actions)
}

function planMeasures(
  { settings, worker, certificate }: ComposeInput,
  { shared, backups, disk, changes, health }: AlertsJoinDeps,
): AlertsDeps['measures'] {
  const { alerts } = settings
  const { clickhouse, sql, now } = shared
  const before = worker === null ? '' : `worker ${worker.number}: `
  const since = (): Date => new Date(now().getTime() - alerts.windowMinutes * minuteMs)
  const ofWindow = `in ${alerts.windowMinutes} minutes`
  const one = (value: number, detail: string | null): readonly Reading[] => [{ subject: '', value, detail }]
  const traffic = async () => {
    const { requests, failed, p95Ms } = await readTraffic(clickhouse, since())
    const counts = requests >= alerts.minRequests
    const detail = `${failed} of ${requests} requests ${ofWindow} failed; 95 of 100 took at most ${Math.round(p95Ms)} ms.`
    return { percent: counts ? (failed / requests) * 100 : 0, p95Ms: counts ? p95Ms : 0, detail }
  }
  return {
    component: async () =>
      (await health()).map(({ name, state, detail }) => ({
        ...{ subject: `${before}${name}`, value: state === 'down' ? 1 : 0, detail },
      })),
    async 'error rate'() {
      const { percent, detail } = await traffic()
      return one(percent, detail)
    },
    async duration() {
      const { p95Ms, detail } = await traffic()
      return one(p95Ms, detail)
    },
    'changes behind': async () => [{ subject: before.slice(0, -2), value: changes.behindBytes(), detail: null }],
    async disk() {
      const { fullAt, isShort } = await disk.state()
      if (isShort) return one(0, 'Events, recordings and files are refused until there is room.')
      if (fullAt === null) return one(Number.POSITIVE_INFINITY, null)
      const detail = `At the pace of the last two weeks it is full on ${fullAt.toISOString().slice(0, 10)}.`
      return one((fullAt.getTime() - now().getTime()) / dayMs, detail)
    },
    budget: async () =>
      (await disk.watched()).map(({ kind, percent, detail }) => ({ subject: kind, value: percent, detail })),
    backup: async () =>
      backups === null ? [] : one(backups.verifiedAgeSeconds() / hourSeconds, backups.health().detail),
    async certificate() {
      if (certificate === null) return []
      const ends = new Date(new X509Certificate(certificate.current().cert).validTo)
      return one((ends.getTime() - now().getTime()) / dayMs, `It ends on ${ends.toISOString().slice(0, 10)}.`)
    },
    async 'failed jobs'() {
      const failed = await countFailedRuns(sql, since())
      return failed === null ? [] : one(failed, `${failed} runs failed ${ofWindow}: see Jobs in the console.`)
    },
  }
}
