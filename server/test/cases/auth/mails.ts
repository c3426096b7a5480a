import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { AuthSettings } from '../../../src/services/auth/index.ts'
import { startAuth, type TestAuth } from '../../auth-service.ts'
import type { AuthCase } from './case.ts'
import { ann, bob, refusalOf, signIn, signUp } from './people.ts'

const confirming: Partial<AuthSettings> = { emailEnableConfirmations: true }
const page = 'http://127.0.0.1:3000/in'

const newest = async (auth: TestAuth, to: string) => {
  const { mails } = await auth.inbox.search(`to:${to}`, { start: 0, limit: 1 })
  const [mail] = mails
  if (mail === undefined) throw new Error(`No mail to ${to}.`)
  return mail
}
const mailCount = async (auth: TestAuth) => (await auth.inbox.list({ start: 0, limit: 1 })).total
const recover = (auth: TestAuth, email: string) => auth.call('POST', '/recover', { body: { email } })

/** Takes no mail, or only after a while. */
const brokenServer = { send: () => Promise.reject(new Error('the mail server is down')) }

/** Every variable of a template, one a line. */
const everything = [
  'SiteURL',
  'ConfirmationURL',
  'Email',
  'NewEmail',
  'SendingTo',
  'Token',
  'TokenHash',
  'RedirectTo',
  'Data.city',
]
  .map((name) => `<p>${name}=[{{ .${name} }}]</p>`)
  .join('')

const variablesOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/^([\w.]+)=\[(.*)\]$/gm)].map(([, name = '', value = '']) => [name, value]))

/** Mails: auth §22, and what auth §34 and §35 say of them. */
export const mailCases: readonly AuthCase[] = [
  {
    row: '22',
    rule: 'the link of a mail leads to /verify with token, type and redirect, which is left as it is',
    settings: confirming,
    async run(auth) {
      await auth.call('POST', `/signup?redirect_to=${encodeURIComponent(page)}`, { body: ann })
      const { text } = await newest(auth, ann.email)
      expect(text).toMatch(
        /^http:\/\/127\.0\.0\.1:54321\/auth\/v1\/verify\?token=[0-9a-f]{56}&type=signup&redirect_to=http:\/\/127\.0\.0\.1:3000\/in$/m,
      )
    },
  },
  {
    row: '22',
    rule: 'a redirect with a query or a fragment is one parameter of the link',
    async run(auth) {
      await signUp(auth)
      const redirect = `${page}?a=b&c=d#e`
      await auth.call('POST', `/recover?redirect_to=${encodeURIComponent(redirect)}`, { body: { email: ann.email } })
      const link = await auth.linkFor(ann.email)
      expect(link).toContain(`&redirect_to=${encodeURIComponent(redirect)}`)
      const { headers } = await auth.call('GET', link)
      expect(String(headers.location)).toMatch(/^http:\/\/127\.0\.0\.1:3000\/in\?a=b&c=d#e/)
    },
  },
  {
    row: '22',
    rule: 'a configured path takes the place of the path of the external URL',
    settings: { emailUrlPathRecovery: '/auth/confirm' },
    async run(auth) {
      await signUp(auth)
      await recover(auth, ann.email)
      expect((await newest(auth, ann.email)).text).toContain('http://127.0.0.1:54321/auth/confirm?token=')
    },
  },
  {
    row: '22',
    rule: 'subject and body are templates with the code, the hash, the link, the site and the metadata',
    settings: {
      ...confirming,
      emailTemplateConfirmationSubject: '{{ .Token }} for {{ .Data.city }} & all',
      emailTemplateConfirmationContent: everything,
    },
    async run(auth) {
      const body = { ...ann, data: { city: 'Köln <b>' } }
      await auth.call('POST', `/signup?redirect_to=${encodeURIComponent(page)}`, { body })
      const mail = await newest(auth, ann.email)
      const values = variablesOf(mail.text)
      expect(mail.subject).toBe(`${values.Token} for Köln <b> & all`)
      expect(values).toMatchObject({
        SiteURL: 'http://127.0.0.1:3000',
        Email: ann.email,
        NewEmail: '',
        RedirectTo: page,
        'Data.city': 'Köln <b>',
      })
      expect(values.ConfirmationURL).toContain(`token=${values.TokenHash}&type=signup`)
      const verified = await auth.call('POST', '/verify', { body: { type: 'email', token_hash: values.TokenHash } })
      expect(verified.status).toBe(200)
    },
  },
  {
    row: '22',
    rule: 'both sides of a change get a mail with a code of their own',
    settings: { emailTemplateEmailChangeContent: everything },
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      await auth.call('PUT', '/user', { token, body: { email: 'new@example.com' } })
      const [current, fresh] = await Promise.all(
        [ann.email, 'new@example.com'].map(async (to) => variablesOf((await newest(auth, to)).text)),
      )
      expect(current).toMatchObject({ Email: ann.email, NewEmail: 'new@example.com', SendingTo: ann.email })
      expect(fresh).toMatchObject({ Email: ann.email, NewEmail: 'new@example.com', SendingTo: 'new@example.com' })
      expect(current?.Token).not.toBe(fresh?.Token)
      expect(current?.TokenHash).not.toBe(fresh?.TokenHash)
    },
  },
  {
    row: '22',
    rule: 'the body may be a file, read anew for each mail',
    async run(_auth, db) {
      const textFolder = await mkdtemp(join(tmpdir(), 'clew-texts-'))
      await writeFile(join(textFolder, 'recovery.html'), '<p>One {{ .Token }}</p>')
      const auth = await startAuth(db, { emailTemplateRecoveryContentPath: './recovery.html' }, { textFolder })
      await signUp(auth)
      await recover(auth, ann.email)
      expect((await newest(auth, ann.email)).html).toMatch(/^<p>One \d{6}<\/p>$/)
      await writeFile(join(textFolder, 'recovery.html'), '<p>Two {{ if }}</p>')
      auth.pass(5)
      await recover(auth, ann.email)
      // One that cannot be read gives way to the built-in text.
      expect((await newest(auth, ann.email)).text).toMatch(/^Code: \d{6}$/m)
      await rm(textFolder, { recursive: true })
    },
  },
  {
    row: '22',
    rule: 'the body may be an address; what it answered is kept ten minutes, and longer while it does not answer',
    async run(_auth, db) {
      const asked: string[] = []
      let answer: { status: number; text: string } = { status: 500, text: '' }
      const server = createServer((request, response) => {
        asked.push(request.url ?? '')
        response.writeHead(answer.status).end(answer.text)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const place = `http://127.0.0.1:${port}/recovery.html`
      const auth = await startAuth(db, { emailTemplateRecoveryContentPath: place, emailMaxFrequencySeconds: 0 })
      await signUp(auth)
      const next = async (): Promise<string> => {
        await recover(auth, ann.email)
        return (await newest(auth, ann.email)).html.slice(0, 20)
      }
      expect(await next()).toMatch(/^<!doctype html>/)
      answer = { status: 200, text: '<p>One {{ .Token }}' }
      expect(await next()).toMatch(/^<p>One/)
      answer = { status: 200, text: '<p>Two {{ .Token }}' }
      expect(await next()).toMatch(/^<p>One/)
      auth.pass(601)
      answer = { status: 200, text: `<p>${'x'.repeat(1024 * 1024)}` }
      expect(await next()).toMatch(/^<p>One/)
      auth.pass(11)
      answer = { status: 200, text: '<p>Two {{ .Token }}' }
      expect(await next()).toMatch(/^<p>Two/)
      expect(asked).toHaveLength(4)
      server.close()
    },
  },
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
    rule: 'a mail server that does not answer holds up nobody but those it has mails of',
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
    rule: 'more mails than may wait are refused at once, and those that wait are sent',
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
    rule: 'what has happened is told by mail only where that is switched on',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      await auth.call('PUT', '/user', { token, body: { password: 'another good password' } })
      expect(await mailCount(auth)).toBe(0)
    },
  },
  {
    row: '22',
    rule: 'a changed password is told, and failing to tell it changes nothing',
    settings: { emailNotificationPasswordChangedEnabled: true },
    async run(auth, db) {
      const { access_token: token } = await signUp(auth)
      await auth.call('PUT', '/user', { token, body: { password: 'another good password' } })
      expect(await newest(auth, ann.email)).toMatchObject({
        subject: 'Your password was changed',
        kind: 'password_changed_notification',
      })
      const said: string[] = []
      const log = { warn: (_details: object, message: string) => void said.push(message) }
      const settings = { emailNotificationPasswordChangedEnabled: true }
      const broken = await startAuth(db, settings, { mail: brokenServer, log })
      const session = (await signIn(broken, { ...ann, password: 'another good password' })).body
      const body = { password: 'a third good password' }
      expect((await broken.call('PUT', '/user', { token: session.access_token, body })).status).toBe(200)
      expect(said).toHaveLength(1)
      expect((await signIn(auth, { ...ann, ...body })).status).toBe(200)
    },
  },
  {
    row: '22',
    rule: 'a changed address is told at the old one',
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
  {
    row: '35.16',
    rule: 'neither Referer nor X-Forwarded-Host choose where a link leads',
    async run(auth) {
      await signUp(auth)
      const headers = { referer: 'https://evil.example/', 'x-forwarded-host': 'evil.example', host: 'evil.example' }
      await auth.call('POST', '/recover', { body: { email: ann.email }, headers })
      const { text, html } = await newest(auth, ann.email)
      expect(`${text}${html}`).not.toContain('evil')
    },
  },
  {
    row: '22',
    rule: 'a forwarded host that is listed is where links lead, with the path of the external URL',
    settings: { emailExternalHosts: ['api.example', 'api.example:8443'] },
    async run(auth) {
      await signUp(auth)
      const linkFor = async (headers: Readonly<Record<string, string>>): Promise<string> => {
        await auth.call('POST', '/recover', { body: { email: ann.email }, headers })
        auth.pass(2)
        return /http\S+\/verify\?/.exec((await newest(auth, ann.email)).text)?.[0] ?? ''
      }
      const own = 'http://127.0.0.1:54321/auth/v1/verify?'
      expect(await linkFor({ 'x-forwarded-host': 'api.example' })).toBe('https://api.example/auth/v1/verify?')
      expect(await linkFor({ 'x-forwarded-host': 'api.example:8443', 'x-forwarded-proto': 'http' })).toBe(
        'http://api.example:8443/auth/v1/verify?',
      )
      for (const host of ['evil.example', 'api.example.evil.example', 'api.example/@evil.example', 'API.example', ''])
        expect(await linkFor({ 'x-forwarded-host': host })).toBe(own)
    },
  },
  {
    row: '35.35',
    rule: 'metadata in a subject begins no header',
    settings: { ...confirming, emailTemplateConfirmationSubject: 'Hello {{ .Data.name }}' },
    async run(auth) {
      const data = { name: 'Ann\r\nBcc: eve@evil.example\n\n<p>\u2028x' }
      await auth.call('POST', '/signup', { body: { ...ann, data } })
      const { subject } = await newest(auth, ann.email)
      expect(subject).toBe('Hello Ann Bcc: eve@evil.example <p> x')
    },
  },
  {
    row: '35.35',
    rule: 'a redirect with line breaks begins no header and no second line',
    async run(auth) {
      await signUp(auth)
      const evil = encodeURIComponent(`${page}\r\nSet-Cookie: a=b`)
      await auth.call('POST', `/recover?redirect_to=${evil}`, { body: { email: ann.email } })
      const link = await auth.linkFor(ann.email)
      expect(link).not.toContain('Set-Cookie: a')
      const { headers } = await auth.call('GET', link)
      expect(headers).not.toHaveProperty('set-cookie')
      expect(String(headers.location)).not.toMatch(/[\r\n]/)
    },
  },
  {
    row: '35.36',
    rule: 'metadata in a mail is text, wherever it stands',
    settings: {
      ...confirming,
      emailTemplateConfirmationContent:
        '<p>{{ .Data.name }}</p><a href="{{ .Data.link }}" title="{{ .Data.name }}">x</a><a href="{{ .SiteURL }}/?n={{ .Data.name }}">y</a>',
    },
    async run(auth) {
      const data = { name: '"><script>alert(1)</script>', link: 'javascript:alert(1)' }
      await auth.call('POST', '/signup', { body: { ...ann, data } })
      const { html } = await newest(auth, ann.email)
      expect(html).not.toContain('<script')
      expect(html).not.toContain('javascript:')
      expect(html).not.toContain('">"')
      expect(html).toContain('?n=%22%3E%3Cscript%3E')
    },
  },
]
