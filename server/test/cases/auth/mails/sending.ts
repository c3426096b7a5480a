import { expect, onTestFinished } from 'vitest'
import { startAuth } from '../../../auth-service.ts'
import type { AuthCase } from '../case.ts'
import { ann, bob, refusalOf, signIn, signUp } from '../people.ts'
import { confirming, mailCount, newest, recover } from './mailbox.ts'

/** Takes no mail, or only after a while. */
const brokenServer = { send: () => Promise.reject(new Error('the mail server is down')) }

/** When mails are sent, and how: auth §22, §27, §34. */
export const mailSendingCases: readonly AuthCase[] = [
  {
    row: '22',
    rule: 'a sign-up whose mail is not taken is answered with 500 and leaves no user',
    settings: confirming,
    deps: { mail: brokenServer },
    async run(auth, db) {
      const answer = await auth.call('POST', '/signup', { body: ann })
      expect(refusalOf(answer)).toEqual([500, 'unexpected_failure'])
      expect(answer.body.msg).toBe('Error sending confirmation email')
      const { rows } = await db.admin.query({ text: 'select 1 from auth.users', values: [] })
      expect(rows).toEqual([])
    },
  },
  {
    row: '22',
    rule: 'a mail that is not taken leaves the earlier code good, and may be asked for again at once',
    async run(_auth, db) {
      const working = await startAuth(db, { emailMaxFrequencySeconds: 60 })
      await signUp(working)
      await recover(working, ann.email)
      const token = await working.codeFor(ann.email)
      working.pass(61)
      const broken = await startAuth(db, { emailMaxFrequencySeconds: 0 }, { mail: brokenServer })
      for (const _ of [1, 2]) expect((await recover(broken, ann.email)).status).toBe(500)
      const answer = await working.call('POST', '/verify', { body: { type: 'recovery', token, email: ann.email } })
      expect(answer.status).toBe(200)
    },
  },
  {
    row: '22',
    rule: 'a change whose mail is not taken is no change at all',
    deps: { mail: brokenServer },
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      const body = { email: 'new@example.com', data: { city: 'Köln' } }
      expect((await auth.call('PUT', '/user', { token, body })).status).toBe(500)
      const { body: user } = await auth.call('GET', '/user', { token })
      expect(user).not.toHaveProperty('new_email')
      expect(user.user_metadata).not.toHaveProperty('city')
    },
  },
  {
    row: '22',
    rule: 'a mail server that does not answer delays only the calls whose mails it has',
    async run(_auth, db) {
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      // Whatever fails here, nothing may go on waiting.
      onTestFinished(() => release())
      const auth = await startAuth(db, { emailMaxFrequencySeconds: 0 }, { mail: { send: () => released } })
      const people = Array.from({ length: 8 }, (_, index) => ({ ...ann, email: `ann${index}@example.com` }))
      for (const person of [...people, bob]) await signUp(auth, person)
      const waiting = people.map(({ email }) => recover(auth, email))
      expect((await signIn(auth, bob)).status).toBe(200)
      await signUp(auth, { ...bob, email: 'eve@example.com' })
      release()
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(8).fill(200))
    },
  },
  {
    row: '22',
    rule: 'more mails than may wait are rejected at once, and those that wait are sent',
    async run(_auth, db) {
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      onTestFinished(() => release())
      const sent: string[] = []
      const mail = { send: ({ to }: { readonly to: string }) => released.then(() => void sent.push(to)) }
      const auth = await startAuth(db, { emailConcurrency: 1, emailQueue: 1 }, { mail })
      const people = [0, 1, 2].map((index) => ({ ...ann, email: `ann${index}@example.com` }))
      for (const person of people) await signUp(auth, person)
      const answers = people.map(({ email }) => recover(auth, email))
      const first = await Promise.race(answers)
      expect([first.status, first.body.msg]).toEqual([500, 'Too many mails are waiting to be sent'])
      release()
      expect((await Promise.all(answers)).map(({ status }) => status).toSorted()).toEqual([200, 200, 500])
      expect(sent).toHaveLength(2)
    },
  },
  {
    row: '22',
    rule: 'notifications are mailed only where that is switched on',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      await auth.call('PUT', '/user', { token, body: { password: 'another good password' } })
      expect(await mailCount(auth)).toBe(0)
    },
  },
  {
    row: '22',
    rule: 'a changed password is notified, and a failed notification changes nothing',
    settings: { emailNotificationPasswordChangedEnabled: true },
    async run(auth, db) {
      const { access_token: token } = await signUp(auth)
      await auth.call('PUT', '/user', { token, body: { password: 'another good password' } })
      expect(await newest(auth, ann.email)).toMatchObject({
        subject: 'Your password was changed',
        kind: 'password_changed_notification',
      })
      const logged: string[] = []
      const log = { warn: (_details: object, message: string) => void logged.push(message) }
      const settings = { emailNotificationPasswordChangedEnabled: true }
      const broken = await startAuth(db, settings, { mail: brokenServer, log })
      const session = (await signIn(broken, { ...ann, password: 'another good password' })).body
      const body = { password: 'a third good password' }
      expect((await broken.call('PUT', '/user', { token: session.access_token, body })).status).toBe(200)
      expect(logged).toHaveLength(1)
      expect((await signIn(auth, { ...ann, ...body })).status).toBe(200)
    },
  },
  {
    row: '22',
    rule: 'a changed address is notified at the old one',
    settings: { emailNotificationEmailChangedEnabled: true, emailDoubleConfirmChanges: false },
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      await auth.call('PUT', '/user', { token, body: { email: 'new@example.com' } })
      expect((await auth.inbox.search(`to:${ann.email}`, { start: 0, limit: 1 })).fitting).toBe(0)
      const code = await auth.codeFor('new@example.com')
      await auth.call('POST', '/verify', { body: { type: 'email_change', token: code, email: 'new@example.com' } })
      const { text, subject } = await newest(auth, ann.email)
      expect(subject).toBe('Your e-mail address was changed')
      expect(text).toContain(`from ${ann.email} to new@example.com`)
    },
  },
  {
    row: '27',
    rule: 'a function of the database takes the mails instead, sees the new user, and may refuse the sign-up',
    async run(_auth, db) {
      await db.load(`
        create schema hooks;
        create table hooks.sent (payload jsonb, has_user boolean);
        create function hooks.send_email(event jsonb) returns jsonb language plpgsql security definer as $$
        begin
          if event #>> '{user,email}' like 'refused%' then
            return '{"error": {"http_code": 403, "message": "Not from there."}}';
          end if;
          insert into hooks.sent
          values (event, exists (select from auth.users where id = (event #>> '{user,id}')::uuid));
          return '{}';
        end $$;
        grant usage on schema hooks to supabase_auth_admin;
        grant execute on function hooks.send_email to supabase_auth_admin;`)
      const uri = 'pg-functions://postgres/hooks/send_email'
      const auth = await startAuth(db, { ...confirming, hookSendEmailUri: uri })
      expect((await auth.call('POST', '/signup', { body: ann })).status).toBe(200)
      expect(await mailCount(auth)).toBe(0)
      const query = (text: string) => db.admin.query({ text, values: [] })
      const sent = await query("select payload -> 'email_data' as email, has_user from hooks.sent")
      expect(sent.rows).toMatchObject([
        { has_user: true, email: { email_action_type: 'signup', site_url: 'http://127.0.0.1:54321/auth/v1' } },
      ])
      const refused = await auth.call('POST', '/signup', { body: { ...ann, email: 'refused@example.com' } })
      expect([refused.status, refused.body.msg]).toEqual([403, 'Not from there.'])
      expect((await query("select from auth.users where email like 'refused%'")).rows).toEqual([])
    },
  },
  {
    row: '34.10',
    rule: 'a code that was typed fits the token of a PKCE flow',
    async run(auth) {
      const challenge = { code_challenge: 'c'.repeat(43), code_challenge_method: 's256' }
      await auth.call('POST', '/otp', { body: { email: ann.email, ...challenge } })
      expect(await auth.linkFor(ann.email)).toContain('token=pkce_')
      const token = await auth.codeFor(ann.email)
      const answer = await auth.call('POST', '/verify', { body: { type: 'email', token, email: ann.email } })
      expect(answer.body.user?.email).toBe(ann.email)
    },
  },
]
