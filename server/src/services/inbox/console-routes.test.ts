import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { type TestDatabase, test } from '../../../test/harness.ts'
import { type OperatorRole, recordedActions } from '../../../test/operator-actions.ts'
import { mailRoutes } from './console-routes.ts'
import { createInbox, inboxTables } from './index.ts'

async function open(db: TestDatabase, role: OperatorRole = 'developer') {
  await db.migrate('mail', inboxTables.postgres)
  const inbox = createInbox({ sql: db.admin, now: () => new Date(), newId: randomUUID })
  const { actions, log } = recordedActions(role)
  return { inbox, log, call: await consoleApp(mailRoutes(inbox, actions)) }
}

const mail = (to: string) => ({ to, subject: `For ${to}`, text: `Code 123456`, html: '<p>Code 123456</p>' })

test('mails are listed newest first, found, and read once opened', async ({ db }) => {
  const { inbox, call } = await open(db)
  for (const to of ['ana@example.com', 'ben@example.com']) await inbox.send(mail(to))
  const { mails, fitting } = (await call('GET', '/mails')).body
  expect(fitting).toBe(2)
  expect(mails).toMatchObject([
    { to: 'ben@example.com', subject: 'For ben@example.com', isRead: false },
    { to: 'ana@example.com' },
  ])
  expect((await call('GET', '/mails?text=to:ana')).body.mails).toHaveLength(1)
  expect((await call('GET', '/mails?start=1&limit=1')).body.mails).toMatchObject([{ to: 'ana@example.com' }])
  const opened = (await call('GET', `/mails/${mails[0].id}`)).body
  expect(opened).toMatchObject({ text: 'Code 123456', html: '<p>Code 123456</p>', isRead: true })
  expect((await call('GET', `/mails/${randomUUID()}`)).body.code).toBe('CLEW_MAIL_NOT_FOUND')
})

test('the inbox is emptied, which the audit log says', async ({ db }) => {
  const { inbox, call, log } = await open(db)
  await inbox.send(mail('ana@example.com'))
  expect((await call('DELETE', '/mails')).status).toBe(204)
  expect((await call('GET', '/mails')).body).toEqual({ mails: [], fitting: 0 })
  expect(log).toEqual([{ name: 'inbox.empty', target: 'inbox' }])
})

test('analysts read no mails: their links sign in', async ({ db }) => {
  const { inbox, call } = await open(db, 'analyst')
  await inbox.send(mail('ana@example.com'))
  expect((await call('GET', '/mails')).status).toBe(403)
  expect((await call('GET', `/mails/${randomUUID()}`)).status).toBe(403)
  expect((await call('DELETE', '/mails')).status).toBe(403)
})
