import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mail } from '../src/engines/mail/index.ts'
import { createOutbound } from '../src/engines/outbound/index.ts'
import { spoolSettings } from '../src/engines/spool/index.ts'
import { createThreads } from '../src/engines/threads/index.ts'
import type { ExceptionRecord } from '../src/ground/errors/exception-record.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { createIssues, issuesService, issuesSettings, issuesTables } from '../src/services/issues/index.ts'
import { consoleApp } from './console-app.ts'
import { test as base } from './harness.ts'
import { recordedActions } from './operator-actions.ts'
import { startReceiver } from './receiver.ts'
import { refusedRowsIn } from './refused-rows.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** The errors of a project on real engines, and their endpoints as each role asks them; time stands still. */
export const test = base.extend('world', async ({ db, clickhouse }, { onCleanup }) => {
  await db.migrate('issues', issuesTables.postgres)
  await clickhouse.migrate('issues', issuesTables.clickhouse)
  const spoolDir = await mkdtemp(join(tmpdir(), 'clew-issues-'))
  const receiver = await startReceiver()
  const settings = {
    ...readSettings(issuesSettings, []).values,
    alertMails: ['team@shop.test'],
    alertWebhookUrl: `${receiver.url}/alerts`,
    maxSourceMapMib: 1,
  }
  const mails: Mail[] = []
  const threads = createThreads()
  const clock = { ms: Date.now() }
  const now = () => new Date(clock.ms)
  const issues = await createIssues({
    ...{ sql: db.admin, clickhouse, threads, spoolDir, settings, now, newId: uuidv7, log: silent },
    alerts: {
      mailer: { send: async (mail) => void mails.push(mail) },
      outbound: createOutbound({
        ...{ reach: 'public and loopback', allowsPlain: true, allowedHosts: [] },
        ...{ timeoutMs: 5000, maxBytes: 1000 },
      }),
      project: 'Shop',
      consoleUrl: 'https://console.test/console',
    },
    spoolSettings: readSettings(spoolSettings, []).values,
    refused: refusedRowsIn(spoolDir),
  })
  onCleanup(async () => {
    await issues.close()
    await threads.close()
    receiver.close()
    await rm(spoolDir, { recursive: true, force: true })
  })
  const people = { byDistinctId: async () => new Map() }
  const users = { byId: async () => new Map() }
  const open = async (role: 'owner' | 'developer' | 'analyst' | 'viewer', email = 'ann@team.test') => {
    const { actions, log } = recordedActions(role)
    const service = issuesService(issues, {
      sql: db.admin,
      clickhouse,
      people,
      users,
      settings,
      threads,
      actions,
      now,
      newId: uuidv7,
    })
    const call = await consoleApp(async (app) => {
      app.addHook('onRequest', async (request) => request.setDecorator('operator', { email }))
      for (const part of service.console) await app.register(part)
    })
    const upload = (url: string, body: Buffer) => call('POST', url, body, { 'content-type': 'application/gzip' })
    return { log, call, upload }
  }
  const store = (...records: readonly ExceptionRecord[]) =>
    issues.exceptions([Buffer.from(records.map((each) => JSON.stringify(each)).join('\n'))], {
      again: false,
      attempt: 1,
      signal: new AbortController().signal,
    })
  return { issues, clock, open, store, mails, receiver, ...(await open('owner')) }
})

let number = 0
/** An exception of a browser, with an id of its own. */
export const thrown = (
  timeMs: number,
  facts: Partial<ExceptionRecord> = {},
  type = 'TypeError',
  message = 'x of ann@a.test is 7',
): ExceptionRecord => {
  number += 1
  return {
    ...{ id: `e${number}`, source: 'browser', timeMs, clientTimeMs: timeMs, receivedAtMs: timeMs },
    ...{ sessionId: 's1', windowId: 'w1', distinctId: 'd1', userId: '', requestId: '', url: 'https://shop.test/cart' },
    ...{ browser: 'Chrome', os: 'Linux' },
    properties: {
      $exception_list: [
        {
          type,
          value: message,
          stacktrace: {
            frames: [
              { filename: 'main.ts', function: 'main', lineno: 1, colno: 2, in_app: true },
              {
                filename: 'cart.ts',
                function: `${type}Thrower`,
                lineno: 3,
                colno: 4,
                in_app: true,
                context_line: 'secret()',
              },
            ],
          },
        },
      ],
    },
    ...facts,
  }
}
