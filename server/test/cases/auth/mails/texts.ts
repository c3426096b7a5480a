import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startAuth } from '../../../auth-service.ts'
import type { AuthCase } from '../case.ts'
import { ann, signUp } from '../people.ts'
import { confirming, newest, page, recover } from './mailbox.ts'

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

/** The texts and links of mails: auth §22, and what auth §35 says of them. */
export const mailTextCases: readonly AuthCase[] = [
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
