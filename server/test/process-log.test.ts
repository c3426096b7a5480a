import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { logSettings } from '../src/engines/log/settings.ts'
import { loadCertificate } from '../src/instance/certificate.ts'
import { compiled } from './compiled.ts'

const defaults = Object.fromEntries(Object.entries(logSettings).map(([name, { default: value }]) => [name, value]))

/** What a process writes that opens its log, logs one line and ends. */
async function logOnce(settings: object, env: NodeJS.ProcessEnv = {}) {
  const options = { ...defaults, logLevel: 'warn', logFormat: null, logFile: null, production: true, ...settings }
  const script = `
    import { openLog } from ${JSON.stringify(compiled('src/engines/log/index').href)}
    const { log, close } = openLog(${JSON.stringify(options)})
    log.warn('a tap drips')
    await close()
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env: { ...process.env, ...env } })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text) => {
      written[name] += text
    })
  await once(child, 'close')
  return written
}

test.each([
  ['stdout', 'stderr'],
  ['stderr', 'stdout'],
] as const)('the log is written to %s where the settings say so, and nothing to %s', async (output, other) => {
  const json = await logOnce({ output })
  expect(JSON.parse(json[output])).toMatchObject({ level: 40, msg: 'a tap drips' })
  const text = await logOnce({ output, logFormat: 'text' })
  expect(text[output]).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: a tap drips\n$/)
  expect([json[other], text[other]]).toEqual(['', ''])
})

/** A syslog server that speaks TLS, with a certificate for this machine’s names. */
async function startSyslog() {
  const folder = await mkdtemp(join(tmpdir(), 'clew-syslog-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const own = { tls: true, tlsCert: null, tlsKey: null }
  const certificate = await loadCertificate(own, folder, () => new Date())
  const received: string[] = []
  const server = createServer({ ...certificate }, (socket) => {
    socket.setEncoding('utf8').on('data', (text) => received.push(text))
    socket.on('error', () => undefined)
  })
  // A client that does not trust it ends the connection in the handshake.
  server.on('tlsClientError', () => undefined)
  server.listen(0)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return {
    port: (server.address() as AddressInfo).port,
    ca: join(folder, 'tls.crt'),
    received: () => received.join(''),
  }
}

test.each(['localhost', '127.0.0.1'])('lines go to the syslog server %s over TLS (RFC 5425)', async (host) => {
  const { port, ca, received } = await startSyslog()
  const { stderr } = await logOnce({ syslog: `tls://${host}:${port}` }, { NODE_EXTRA_CA_CERTS: ca })
  await expect.poll(received).toContain('a tap drips')
  const [, length, message = ''] = /^(\d+) (<12>1 .* clew \d+ - - \{.*\})$/.exec(received()) ?? []
  expect(Buffer.byteLength(message)).toBe(Number(length))
  // Nothing beside the line itself: neither a failure nor a warning of the runtime.
  expect(JSON.parse(stderr)).toMatchObject({ msg: 'a tap drips' })
})

test('a syslog server whose certificate is not trusted is sent nothing, and the log says why', async () => {
  const { port, received } = await startSyslog()
  const { stderr } = await logOnce({ syslog: `tls://localhost:${port}` })
  expect(stderr).toContain('log: lines cannot be sent')
  expect(stderr).toContain('DEPTH_ZERO_SELF_SIGNED_CERT')
  expect(received()).toBe('')
})
