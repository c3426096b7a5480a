import { type AddressInfo, createServer, type Server } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import { readSettings } from '../../ground/settings/read.ts'
import { parseHeaderLists } from './headers.ts'
import { createMailer, type Mailer, type MailSettings, mailSettings, planServer } from './index.ts'

const mail = {
  to: 'ann@example.com',
  subject: 'Grüße: 123456',
  text: 'Code: 123456',
  html: '<p>123456</p>',
  kind: 'recovery',
}

interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly source: string
  readonly user: string | undefined
  readonly secure: boolean
}

/** A real mail server that keeps what it takes. */
async function startServer(options: SMTPServerOptions = {}): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
          user: typeof session.user === 'string' ? session.user : undefined,
          secure: session.secure,
        })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { port: (server.server.address() as AddressInfo).port, received }
}

const settingsWith = (given: Partial<MailSettings>): MailSettings => ({
  ...readSettings(mailSettings, []).values,
  adminEmail: 'hello@app.example',
  smtpTimeoutSeconds: 2,
  ...given,
})

const mailerWith = (given: Partial<MailSettings>) =>
  createMailer(undefined as unknown as Mailer, settingsWith(given), { now: () => new Date(), newId: () => uuidv7() })

test('a mail arrives with sender, encoded subject, both bodies and the further headers', async () => {
  const { port, received } = await startServer()
  await mailerWith({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    senderName: 'The App, Inc.',
    smtpHeaders: '{"X-Tags": ["auth", "$messageType"]}',
  }).send(mail)
  expect(received).toMatchObject([{ from: 'hello@app.example', to: ['ann@example.com'], user: undefined }])
  const source = received[0]?.source ?? ''
  expect(source).toContain('From: "The App, Inc." <hello@app.example>')
  expect(source).toMatch(/^Subject: =\?UTF-8\?Q\?Gr=C3=BC=C3=9Fe=3A_123456\?=\r$/m)
  expect(source).toMatch(/^Message-ID: <[\w-]+@app\.example>\r$/m)
  expect(source.match(/^X-Tags: \w+/gm)).toEqual(['X-Tags: auth', 'X-Tags: recovery'])
  expect(source).toContain('Content-Type: text/plain')
  expect(source).toContain('Content-Type: text/html')
})

test('nothing in a mail begins another header or names another recipient', async () => {
  const { port, received } = await startServer()
  const mailer = mailerWith({ smtpUrl: `smtp://127.0.0.1:${port}` })
  await mailer.send({ ...mail, subject: 'Hello\r\nBcc: eve@evil.example\r\n\r\n<b>body</b>' })
  const [head = ''] = (received[0]?.source ?? '').split('\r\n\r\n')
  expect(head).not.toMatch(/^bcc:/im)
  expect(received[0]?.to).toEqual(['ann@example.com'])
  await mailer.send({ ...mail, to: 'ann@example.com, eve@evil.example' }).catch(() => undefined)
  expect(received.flatMap(({ to }) => to)).not.toContain('eve@evil.example')
})

test('the mail server is signed in at', async () => {
  const { port, received } = await startServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === 'app@x' && password === 'p:w/d') done(null, { user: username })
      else done(new Error('wrong'))
    },
  })
  const url = (password: string) => `smtp://app%40x:${encodeURIComponent(password)}@127.0.0.1:${port}`
  await mailerWith({ smtpUrl: url('p:w/d') }).send(mail)
  await expect(mailerWith({ smtpUrl: url('other') }).send(mail)).rejects.toThrow()
  expect(received).toMatchObject([{ user: 'app@x' }])
})

describe('sending fails', () => {
  test('when the server refuses the recipient', async () => {
    const { port } = await startServer({ onRcptTo: (_address, _session, done) => done(new Error('no such person')) })
    await expect(mailerWith({ smtpUrl: `smtp://127.0.0.1:${port}` }).send(mail)).rejects.toThrow('no such person')
  })

  test('when no server listens', async () => {
    await expect(mailerWith({ smtpUrl: 'smtp://127.0.0.1:1' }).send(mail)).rejects.toThrow()
  })

  test('when the server says nothing, after the time it has', async () => {
    const silent: Server = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const started = performance.now()
    await expect(
      mailerWith({ smtpUrl: `smtp://127.0.0.1:${port}`, smtpTimeoutSeconds: 1 }).send(mail),
    ).rejects.toThrow()
    expect(performance.now() - started).toBeLessThan(6000)
  })

  test('when TLS is required and no authority vouches for the server', async () => {
    const { port, received } = await startServer()
    await expect(mailerWith({ smtpHost: '127.1', smtpPort: port }).send(mail)).rejects.toThrow('certificate')
    expect(received).toEqual([])
  })

  test('when TLS is wanted and the server has none', async () => {
    const { port, received } = await startServer({ disabledCommands: ['STARTTLS'] })
    // A name for this machine that is not one of those trusted without TLS.
    await expect(mailerWith({ smtpHost: '127.1', smtpPort: port }).send(mail)).rejects.toThrow()
    expect(received).toEqual([])
    await mailerWith({ smtpHost: '127.1', smtpPort: port, smtpRequireTls: false }).send(mail)
    expect(received).toHaveLength(1)
  })
})

test.for([
  ['no server', {}, null],
  [
    'a URL',
    { smtpUrl: 'smtp://mail.example' },
    { host: 'mail.example', port: 587, implicitTls: false, requireTls: true, user: null },
  ],
  [
    'a URL with TLS',
    { smtpUrl: 'smtps://u:p@mail.example' },
    { port: 465, implicitTls: true, user: 'u', password: 'p' },
  ],
  ['one by one', { smtpHost: 'mail.example', smtpUser: 'u', smtpPass: 'p' }, { port: 587, user: 'u', password: 'p' }],
  ['port 465', { smtpHost: 'mail.example', smtpPort: 465 }, { implicitTls: true }],
  ['this machine', { smtpUrl: 'smtp://[::1]:2525' }, { host: '::1', port: 2525, requireTls: false }],
] as const)('the settings name %s', ([, given, server]) => {
  const planned = planServer(settingsWith(given))
  if (server === null) expect(planned).toBeNull()
  else expect(planned).toMatchObject(server)
})

test.for([
  ['{"X-A": ["a", "b"], "X-B": "c"}', { 'X-A': ['a', 'b'], 'X-B': ['c'] }],
  ['{"X-A": ["a", ""]}', { 'X-A': ['a'] }],
  ['{"Bcc": ["eve@evil.example"]}', null],
  ['{"Content-Type": ["text/html"]}', null],
  ['{"X A": ["a"]}', null],
  ['{"X-A": ["a\\r\\nBcc: b"]}', null],
  ['{"X-A": [1]}', null],
  ['[]', null],
  ['nonsense', null],
] as const)('the headers %s', ([json, lists]) => {
  expect(parseHeaderLists(json)).toEqual(lists)
})
