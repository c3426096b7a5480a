import { expect } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { test as base } from '../../../test/harness.ts'
import { recordedActions } from '../../../test/operator-actions.ts'
import { startReceiver } from '../../../test/receiver.ts'
import type { Mail } from '../../engines/mail/index.ts'
import { createOutbound } from '../../engines/outbound/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import { createAlerts } from './alerts.ts'
import { alertRoutes } from './console/routes.ts'
import type { Reading } from './decide.ts'
import { alertsTables } from './index.ts'
import { type RuleId, ruleIds } from './rules.ts'
import { type AlertsSettings, alertsSettings } from './settings.ts'

const everySeconds = 30

const test = base.extend('world', async ({ db }, { onCleanup }) => {
  await db.migrate(alertsTables.name, alertsTables.postgres)
  let status = 200
  const receiver = await startReceiver((response) => response.writeHead(status).end())
  onCleanup(() => receiver.close())
  const clock = { ms: Date.parse('2026-03-02T10:00:00Z') }
  const values: Partial<Record<RuleId, readonly Reading[] | Error>> = {}
  const mails: Mail[] = []
  const defaults = Object.fromEntries(
    Object.entries(alertsSettings).map(([name, { default: value }]) => [name, value]),
    // The defaults are those of the declared settings.
  ) as unknown as AlertsSettings
  const hanging = new Map<RuleId, () => Promise<readonly Reading[]>>()
  /** What a rule reads does not come until it is let go. */
  const hang = (id: RuleId) => {
    const waiting: ((readings: readonly Reading[]) => void)[] = []
    hanging.set(id, () => new Promise((resolve) => waiting.push(resolve)))
    const letGo = (): void => {
      hanging.delete(id)
      for (const resolve of waiting) resolve([])
    }
    return { waiting, letGo }
  }
  const read = (id: RuleId) => async (): Promise<readonly Reading[]> => {
    const late = hanging.get(id)
    if (late !== undefined) return late()
    const value = values[id] ?? []
    if (value instanceof Error) throw value
    return value
  }
  /** The alerts of one process. */
  const open = (given: Partial<AlertsSettings> = {}, sql: Sql = db.admin) => {
    const settings = {
      ...{ ...defaults, everySeconds, mails: ['team@shop.test'], webhookUrl: `${receiver.url}/alerts`, ...given },
    }
    const alerts = createAlerts({
      ...{ sql, settings, project: 'Shop', consoleUrl: 'https://console.test/console' },
      notices: {
        mailer: { send: async (mail) => void mails.push(mail) },
        outbound: createOutbound({
          ...{ reach: 'public and loopback', allowsPlain: true, allowedHosts: [], timeoutMs: 10_000, maxBytes: 1000 },
        }),
      },
      // Each of the ids has one.
      measures: Object.fromEntries(ruleIds.map((id) => [id, read(id)])) as Record<RuleId, ReturnType<typeof read>>,
      now: () => new Date(clock.ms),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      changed: () => undefined,
    })
    return { ...alerts, settings }
  }
  const set = (id: RuleId, value: number | Error, subject = '') => {
    values[id] = value instanceof Error ? value : [{ subject, value, detail: `It is ${value}.` }]
  }
  return {
    ...{ open, set, hang, values, clock, mails, receiver },
    answerWith(next: number) {
      status = next
    },
    /** The looks of some processes, so many times, half a minute apart. */
    async looks(times: number, ...processes: readonly { look(): Promise<void> }[]) {
      for (let count = 0; count < times; count++) {
        for (const each of processes) await each.look()
        clock.ms += everySeconds * 1000
      }
    },
  }
})

test('an alert that begins and ends is told by mail and webhook, once each', async ({ world }) => {
  const { open, set, looks, mails, receiver } = world
  const alerts = open()
  set('error rate', 12)
  await looks(3, alerts)
  expect(mails).toMatchObject([{ to: 'team@shop.test', subject: 'Shop: Alert: Requests fail' }])
  expect(mails[0]?.text).toContain('12 %')
  expect(mails[0]?.text).toContain('It is 12.')
  expect(mails[0]?.text).toContain('https://console.test/console/settings/alerts')
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    ...{ type: 'alerts', project: 'Shop', text: expect.stringContaining('Requests fail') },
    alerts: [{ rule: 'error rate', kind: 'fired', value: 12, unit: 'percent' }],
  })
  expect(alerts.firing()).toBe(1)
  set('error rate', 0)
  await looks(3, alerts)
  expect(mails.map(({ subject }) => subject)).toEqual(['Shop: Alert: Requests fail', 'Shop: Resolved: Requests fail'])
  expect(receiver.received).toHaveLength(2)
  expect(alerts.firing()).toBe(0)
})

test('of several processes one tells what concerns all, and each what concerns it', async ({ world }) => {
  const { open, set, values, looks, mails } = world
  const processes = [open(), open()]
  set('error rate', 50)
  await looks(3, ...processes)
  expect(mails).toHaveLength(1)
  values.component = [
    { subject: 'worker 1: storing events', value: 1, detail: null },
    { subject: 'worker 1: disk', value: 0, detail: null },
  ]
  const [first] = processes
  if (first !== undefined) await looks(4, first)
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Shop: Alert: Requests fail',
    'Shop: Alert: A component is down (worker 1: storing events)',
  ])
})

test('what another process has begun goes on after its end', async ({ world }) => {
  const { open, set, looks, mails } = world
  set('disk', 3)
  await looks(2, open())
  set('disk', 100)
  await looks(2, open())
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Shop: Alert: The disk fills up',
    'Shop: Resolved: The disk fills up',
  ])
})

test('what cannot be read changes nothing, and other rules are read', async ({ world }) => {
  const { open, set, looks, mails } = world
  const alerts = open()
  set('disk', 3)
  await looks(2, alerts)
  set('disk', new Error('away'))
  set('failed jobs', 2)
  await looks(3, alerts)
  expect(mails).toHaveLength(2)
  expect(alerts.firing()).toBe(2)
})

test('what hangs holds up no other alert, and is not asked again until it has answered', async ({ world }) => {
  const { open, set, hang, looks, mails } = world
  const alerts = open({ readSeconds: 0.05 })
  const { waiting, letGo } = hang('error rate')
  set('disk', 3)
  await looks(3, alerts)
  expect(mails.map(({ subject }) => subject)).toEqual(['Shop: Alert: The disk fills up'])
  expect(waiting).toHaveLength(1)
  set('error rate', 12)
  letGo()
  await looks(3, alerts)
  expect(mails[1]?.subject).toBe('Shop: Alert: Requests fail')
})

test('text that no engine keeps stands in no alert’s way', async ({ world }) => {
  const { open, set, values, looks, mails } = world
  const alerts = open()
  values.budget = [{ subject: 'files \u0000\ud83d\r\nBcc: all@shop.test', value: 200, detail: '<b>a\u0000b\ud83d</b>' }]
  set('disk', 3)
  await looks(3, alerts)
  expect(mails).toHaveLength(1)
  const { notices } = await alerts.state()
  expect(notices.map(({ rule }) => rule).toSorted()).toEqual(['budget', 'disk'])
})

test('what could not be sent is sent with the next look, and its reason is told', async ({ world }) => {
  const { open, set, looks, mails, answerWith } = world
  const alerts = open()
  answerWith(500)
  set('failed jobs', 1)
  await looks(1, alerts)
  expect(mails).toEqual([])
  expect((await alerts.state()).notices).toMatchObject([{ sentAt: null, problem: expect.stringContaining('500') }])
  answerWith(200)
  await looks(1, alerts)
  expect(mails).toHaveLength(1)
  expect((await alerts.state()).notices).toMatchObject([{ sentAt: expect.any(Date), problem: null }])
})

test('with no one to tell alerts are kept, and nothing is owed later', async ({ world }) => {
  const { open, set, looks, mails } = world
  set('failed jobs', 1)
  await looks(1, open({ mails: [], webhookUrl: null }))
  await looks(2, open())
  expect(mails).toEqual([])
})

test('while the database is down a process tells its own alerts at once', async ({ world }) => {
  const { open, values, looks, mails } = world
  const down = () => Promise.reject(new Error('the database is away'))
  const alerts = open({}, { query: down, transaction: down })
  values.component = [{ subject: 'PostgreSQL', value: 1, detail: 'It does not answer.' }]
  await looks(4, alerts)
  expect(mails.map(({ subject }) => subject)).toEqual(['Shop: Alert: A component is down (PostgreSQL)'])
})

test('operators see what is watched and told, and send a test, which is in the audit log', async ({ world }) => {
  const { open, set, looks, mails } = world
  const alerts = open()
  set('backup', Number.POSITIVE_INFINITY)
  set('failed jobs', 4)
  await looks(1, alerts)
  const routes = (role: 'developer' | 'analyst' | 'viewer', settings: AlertsSettings = alerts.settings) => {
    const { actions, log } = recordedActions(role)
    return consoleApp(alertRoutes(alerts, settings, actions)).then((call) => ({ call, log }))
  }
  const analyst = await routes('analyst')
  const { status, body } = await analyst.call('GET', '/alerts')
  expect(status).toBe(200)
  expect(body).toMatchObject({ mails: 1, hasWebhook: true })
  const rule = (id: string) => body.rules.find((each: { id: string }) => each.id === id)
  expect(rule('failed jobs').states).toMatchObject([{ subject: '', isFiring: true, value: 4, detail: 'It is 4.' }])
  expect(rule('backup').states).toMatchObject([{ isFiring: false, value: null, beganAt: null }])
  expect(rule('certificate').states).toEqual([])
  expect(body.notices).toMatchObject([
    { rule: 'failed jobs', kind: 'fired', unit: 'runs', title: 'Scheduled jobs fail' },
  ])
  expect((await analyst.call('POST', '/alerts/test')).status).toBe(403)
  expect((await (await routes('viewer')).call('GET', '/alerts')).status).toBe(403)
  const developer = await routes('developer')
  expect((await developer.call('POST', '/alerts/test')).status).toBe(204)
  expect(mails.at(-1)?.subject).toContain('a test')
  expect(developer.log).toEqual([{ name: 'alerts.test', target: 'the instance' }])
  const alone = await routes('developer', { ...alerts.settings, mails: [], webhookUrl: null })
  expect((await alone.call('POST', '/alerts/test')).body.code).toBe('CLEW_ALERTS_NO_RECEIVER')
  world.answerWith(404)
  expect((await developer.call('POST', '/alerts/test')).body.code).toBe('CLEW_ALERTS_NOT_SENT')
})

test('a backup as old as its limit is told an hour later, and its end an hour after a newer one is verified', async ({
  world,
}) => {
  const { open, set, clock, mails } = world
  const alerts = open({ mails: ['team@shop.test'], webhookUrl: null, backupHours: 50 })
  /** A look after so many minutes. */
  const after = async (minutes: number, hours: number) => {
    clock.ms += minutes * 60_000
    set('backup', hours)
    await alerts.look()
    return mails.map(({ subject }) => subject)
  }
  const [fired, resolved] = [
    'Shop: Alert: No recent backup is verified',
    'Shop: Resolved: No recent backup is verified',
  ]
  expect(await after(1, 49.99)).toEqual([])
  expect(await after(90, 49.99)).toEqual([])
  expect(await after(1, 50)).toEqual([])
  expect(await after(59, 51)).toEqual([])
  expect(await after(1, 51)).toEqual([fired])
  expect(await after(90, 45.1)).toEqual([fired])
  expect(await after(1, 45)).toEqual([fired])
  expect(await after(59, 1)).toEqual([fired])
  expect(await after(1, 2)).toEqual([fired, resolved])
  // A new instance, which has none yet, has the time to make its first.
  expect(await after(1, Number.POSITIVE_INFINITY)).toEqual([fired, resolved])
  expect(await after(60, Number.POSITIVE_INFINITY)).toEqual([fired, resolved, fired])
  expect(mails.at(-1)?.text).toContain('without end')
})
