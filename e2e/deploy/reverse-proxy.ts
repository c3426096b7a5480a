import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadCertificate } from '../../server/src/instance/certificate.ts'
import { freePort, until } from '../support/product.ts'

/** The files that `docs/guide/deploy-server.md` has its readers copy. */
export const deployFolder = fileURLToPath(new URL('../../deploy/', import.meta.url))

/** A proxy in front of a product, at localhost. */
export interface ReverseProxy {
  readonly apiUrl: string
  readonly consoleUrl: string
  /** Where it answers without TLS. */
  readonly plainUrl: string
  /** The folder that certbot of the guide puts its answers in; null where the proxy obtains certificates itself. */
  readonly webRoot: string | null
  readonly output: () => string
  close(): Promise<void>
}

interface Ports {
  readonly api: number
  readonly console: number
}

interface ProxyPorts extends Ports {
  readonly plain: number
}

/** The proxies that are tested, with their program as Debian installs it. */
export const proxies = [
  { name: 'nginx', program: '/usr/sbin/nginx', start: startNginx },
  { name: 'Caddy', program: '/usr/bin/caddy', start: startCaddy },
].map((proxy) => ({ ...proxy, isInstalled: existsSync(proxy.program) }))

/** nginx with `deploy/nginx.conf`, its addresses and its certificate replaced. */
async function startNginx(program: string, upstream: Ports): Promise<ReverseProxy> {
  const [api, console, plain] = [await freePort(), await freePort(), await freePort()]
  const folder = await mkdtemp(join(tmpdir(), 'clew-nginx-'))
  // Its workers are another user's, who reads what certbot puts there.
  await chmod(folder, 0o711)
  await loadCertificate({ tls: true, tlsCert: null, tlsKey: null }, folder, () => new Date())
  const given = await readFile(join(deployFolder, 'nginx.conf'), 'utf8')
  const [open = '', apiServer = '', consoleServer = ''] = given.split(/^(?=server \{)/m).slice(1)
  const onPort = (server: string, port: number): string => server.replace(/listen 443 /, `listen 127.0.0.1:${port} `)
  const servers = given
    .replace(open, open.replace('listen 80', `listen 127.0.0.1:${plain}`).replace('/var/www/html', folder))
    .replace(apiServer, onPort(apiServer, api))
    .replace(consoleServer, onPort(consoleServer, console))
    .replace('127.0.0.1:54321', `127.0.0.1:${upstream.api}`)
    .replace('127.0.0.1:54323', `127.0.0.1:${upstream.console}`)
    .replaceAll(/ssl_certificate .*;/g, `ssl_certificate ${folder}/tls.crt;`)
    .replaceAll(/ssl_certificate_key .*;/g, `ssl_certificate_key ${folder}/tls.key;`)
  const main = `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${servers} }`
  await writeFile(join(folder, 'nginx.conf'), main)
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf')]
  return started(program, args, { api, console, plain }, { folder, webRoot: folder })
}

/** Caddy with `deploy/Caddyfile` as it is, and its own authority for localhost. */
async function startCaddy(program: string, upstream: Ports): Promise<ReverseProxy> {
  const [api, console, plain] = [await freePort(), await freePort(), await freePort()]
  const folder = await mkdtemp(join(tmpdir(), 'clew-caddy-'))
  await mkdir(join(folder, 'home'))
  await writeFile(
    join(folder, 'Caddyfile'),
    `{\n\tadmin off\n\thttp_port ${plain}\n\tskip_install_trust\n\tgrace_period 1s\n}\nimport ${join(deployFolder, 'Caddyfile')}\n`,
  )
  const env = {
    ...{ HOME: join(folder, 'home'), XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    CLEW_API_SITE: `https://localhost:${api}`,
    CLEW_CONSOLE_SITE: `https://localhost:${console}`,
    CLEW_API_UPSTREAM: `127.0.0.1:${upstream.api}`,
    CLEW_CONSOLE_UPSTREAM: `127.0.0.1:${upstream.console}`,
  }
  const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  return started(program, args, { api, console, plain }, { folder, webRoot: null, env })
}

async function started(
  program: string,
  args: readonly string[],
  { api, console, plain }: ProxyPorts,
  { folder, webRoot, env = {} }: Pick<ReverseProxy, 'webRoot'> & { folder: string; env?: NodeJS.ProcessEnv },
): Promise<ReverseProxy> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const close = async (): Promise<void> => {
    await ended(child)
    await rm(folder, { recursive: true, force: true })
  }
  const isListening = async () => (await canConnect(api)) && (await canConnect(console)) && (await canConnect(plain))
  await until(() => child.exitCode !== null || isListening(), 60_000)
  if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}:\n${output}`)
  return {
    apiUrl: `https://localhost:${api}`,
    consoleUrl: `https://localhost:${console}`,
    plainUrl: `http://localhost:${plain}`,
    webRoot,
    output: () => output,
    close,
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exited
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.end())
  })
}
