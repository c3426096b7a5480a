import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { launchOptions } from './browser.ts'
import { claimOwner } from './console-api.ts'
import { notesFolder } from './notes.ts'
import { cafeFolder, freePort, type Product, startProduct } from './product.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address that starts what is shared, at its first request. */
    shared: string
  }
}

/** A page's origin that the shared café allows, and one that its recordings may load from. */
export interface CafeOrigins {
  readonly appOrigin: string
  readonly assetPort: number
}

interface Started {
  /** What the tests are told, as JSON. */
  readonly facts: object
  readonly output?: () => string
  close(): Promise<unknown>
}

/** Makes the engines' data as the migrations of all services leave them; products of the tests begin with a copy. */
const makeEngines = fileURLToPath(new URL('../../server/test/make-engines.ts', import.meta.url))

/**
 * Serves what several files use: a product for those that leave one another's data alone, and the browser. Each is started
 * when the first file asks for it, and closed after the last.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Its name is short: sockets are in it.
  const folder = await mkdtemp(join(tmpdir(), 'clew-engines-'))
  await chmod(folder, 0o711)
  await promisify(execFile)(process.execPath, ['--import', 'tsx', makeEngines, folder])
  process.env.MADE_ENGINES = folder
  const started = new Map<string, Promise<Started>>()
  const startOnce = (name: string): Promise<Started> => {
    const found = started.get(name) ?? starts[name]?.() ?? Promise.reject(new Error(`Nothing shared is named ${name}.`))
    started.set(name, found)
    return found
  }
  const server = createServer((request, answer) => {
    const [, name = '', part] = (request.url ?? '').split('/')
    startOnce(name).then(
      ({ facts, output }) => answer.end(part === 'output' ? output?.() : JSON.stringify(facts)),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  project.provide('shared', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    const running = await Promise.allSettled(started.values())
    await Promise.all(running.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])))
    await rm(folder, { recursive: true, force: true })
  }
}

const starts: Readonly<Record<string, () => Promise<Started>>> = {
  browser: startBrowser,
  cafe: startCafe,
  pages: startPages,
  notes: startNotes,
}

async function startBrowser(): Promise<Started> {
  const server = await chromium.launchServer(launchOptions)
  return { facts: { endpoint: server.wsEndpoint() }, close: () => server.close() }
}

/** The café, its owner claimed. */
async function startCafe(): Promise<Started> {
  const origins: CafeOrigins = { appOrigin: 'http://app.example.test', assetPort: await freePort() }
  const product = await startProduct({
    project: cafeFolder,
    env: {
      CLEW_AUTH_ADDITIONAL_REDIRECT_URLS: origins.appOrigin,
      CLEW_REPLAY_ASSET_ORIGINS: `http://known.localhost:${origins.assetPort}`,
      // Each file that uses it signs its owner in, once or more.
      CLEW_OPERATORS_ATTEMPTS_PER_ACCOUNT: '500',
      CLEW_OPERATORS_ATTEMPTS_PER_ADDRESS: '500',
    },
  })
  await claimOwner(product)
  return startedOf(product, origins)
}

/**
 * A project whose pages the tests write into `public`, at http://localhost: a browser allows WebAuthn without TLS there.
 * Its tokens end so soon that the official client renews them at each look.
 */
async function startPages(): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-pages-'))
  const publicFolder = join(folder, 'public')
  await mkdir(publicFolder)
  // Without it the folder is not served.
  await writeFile(join(publicFolder, 'index.html'), '<!doctype html><title>Pages</title>')
  const port = await freePort()
  const url = `http://localhost:${port}`
  await writeFile(
    join(folder, 'clew.toml'),
    `public = "public"
public_url = "${url}"
[auth]
site_url = "${url}"
jwt_expiry_seconds = 30
email_max_frequency_seconds = 0
enable_anonymous_sign_ins = true
custom_providers_allow_loopback = true
passkey_enabled = true
mfa_web_authn_enroll_enabled = true
mfa_web_authn_verify_enabled = true
`,
  )
  const product = await startProduct({ project: folder, port })
  return startedOf(product, { publicFolder }, () => rm(folder, { recursive: true, force: true }))
}

/** The notes, with tokens that the official client renews at each look; its owner claimed. */
async function startNotes(): Promise<Started> {
  const product = await startProduct({ project: notesFolder, env: { CLEW_AUTH_JWT_EXPIRY_SECONDS: '30' } })
  await claimOwner(product)
  return startedOf(product, {})
}

function startedOf(product: Product, more: object, cleanUp?: () => Promise<void>): Started {
  const { child, stop, close, output, ...facts } = product
  return {
    facts: { ...facts, ...more },
    output,
    async close() {
      await close()
      await cleanUp?.()
    },
  }
}
