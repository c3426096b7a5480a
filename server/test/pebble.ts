import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { loadCertificate } from '../src/instance/certificate.ts'
import { freePort } from './free-port.ts'

const program = '/usr/bin/pebble'
/** Whether Debian's package of the authority is installed. */
export const hasPebble = existsSync(program)

/** An authority that speaks ACME (RFC 8555): Let's Encrypt's own server for tests. */
export interface Pebble {
  readonly directoryUrl: string
  /** The certificate of its HTTPS, in PEM, and the file of it. */
  readonly ca: string
  readonly caFile: string
  /** The port that it asks for challenges. */
  readonly httpPort: number
  close(): Promise<void>
}

/** Starts an authority that asks this machine for its challenges. */
export async function startPebble(): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-pebble-'))
  const own = await loadCertificate({ tls: true, tlsCert: null, tlsKey: null }, folder, () => new Date())
  const [port, managementPort, httpPort, tlsPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const caFile = join(folder, 'tls.crt')
  const pebble = {
    ...{ listenAddress: `127.0.0.1:${port}`, managementListenAddress: `127.0.0.1:${managementPort}` },
    ...{ certificate: caFile, privateKey: join(folder, 'tls.key'), httpPort, tlsPort },
  }
  await writeFile(join(folder, 'pebble.json'), JSON.stringify({ pebble }))
  const child = spawn(program, ['-config', join(folder, 'pebble.json')], {
    stdio: 'ignore',
    // Without the pauses and refusals that it makes up.
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const ca = own?.cert ?? ''
  const directoryUrl = `https://localhost:${port}/dir`
  while ((await statusOf(directoryUrl, ca)) !== 200) {
    if (child.exitCode !== null) throw new Error(`pebble ended with ${child.exitCode}`)
    await delay(50)
  }
  return {
    ...{ directoryUrl, ca, caFile, httpPort },
    async close() {
      child.kill()
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const statusOf = (url: string, ca: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const sent = request(url, { ca }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.once('error', () => resolve(undefined))
    sent.end()
  })
