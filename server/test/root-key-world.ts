import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { askReloadKeys } from '../src/instance/control.ts'
import { directoryOf } from '../src/instance/directory.ts'
import { type Instance, startInstance } from '../src/instance/index.ts'
import { rotateRoot } from '../src/instance/secrets/rotate-root.ts'
import { readAllSettings } from '../src/settings/index.ts'
import { runCommand } from './command-line.ts'
import { freePort } from './free-port.ts'
import { startReceiver } from './receiver.ts'
import { connectSuperuser } from './superuser.ts'

export const password = 'a long and calm password'
const owner = { name: 'Olga Owner', email: 'olga@example.test', password }

/** An answer of the console's API, with the cookie that it sets. */
export interface Answer {
  readonly status: number
  // The shapes are those of the console's own document; a test asserts what it uses.
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly body: any
  readonly cookie: string
}

/** A function that answers what one variable of its environment is. */
const readVariable = `Deno.serve((request) => {
  const name = new URL(request.url).searchParams.get('name') ?? ''
  return new Response(Deno.env.get(name) ?? 'none')
})`

/** The product in production, whose root key is rotated and retired while it runs, and a receiver of what it sends. */
export async function openRootKeyWorld() {
  // Functions have no rights below `/dev`, where the tests' other files are.
  const folder = await mkdtemp('/tmp/clew-root-keys-')
  const data = join(await mkdtemp(join(tmpdir(), 'clew-root-keys-')), 'data')
  const project = join(folder, 'project')
  const path = join(project, 'supabase', 'functions', 'variable', 'index.ts')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, readVariable)
  const receiver = await startReceiver()
  const ports = { port: await freePort(), dbPort: await freePort(), consolePort: await freePort() }
  const environment = { CLEW_NET_ALLOWED_HOSTS: '127.0.0.1' }
  const flags = { data, project, production: true, logLevel: 'silent', ...ports }
  const start = async (): Promise<Instance> => {
    const read = readAllSettings({ flags, environment, workingDirectory: folder })
    expect(read.problems).toEqual([])
    return startInstance({
      ...{ settings: read.settings, places: read.places, secretFiles: [], reread: async () => read },
      report: () => undefined,
      progress: () => undefined,
      onStop: () => undefined,
    })
  }
  let instance = await start()
  const { apiUrl, consoleUrl, dbUrl, serviceRoleKey } = await instance.status()
  const { origin } = new URL(consoleUrl)
  /** Asks the database as the application's owner. */
  const query = async (text: string, ...values: readonly unknown[]) => {
    const client = new pg.Client({ connectionString: dbUrl ?? '' })
    await client.connect()
    try {
      return (await client.query(text, [...values])).rows
    } finally {
      await client.end()
    }
  }
  const asSuperuser = async (text: string, ...values: readonly unknown[]) => {
    const client = await connectSuperuser(data, dbUrl)
    try {
      return (await client.query(text, [...values])).rows
    } finally {
      await client.end()
    }
  }
  const ask = async (cookie: string, method: string, place: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${consoleUrl}/api${place}`, {
      method,
      headers: { cookie, origin, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      body: text === '' ? null : JSON.parse(text),
      cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    }
  }
  const token = new URL((await instance.ownerLink()) ?? '').searchParams.get('token')
  const { cookie } = await ask('', 'POST', '/setup', { token, ...owner })
  const asOwner = (method: string, place: string, body?: object) => ask(cookie, method, place, body)
  interface RootKey {
    readonly id: string
    readonly isCurrent: boolean
    readonly contents: readonly { readonly name: string; readonly count: number; readonly moves: boolean }[]
  }
  const rootKeys = async (): Promise<readonly RootKey[]> => (await asOwner('GET', '/secrets/root-keys')).body.rootKeys
  const lost = async () => (await asOwner('GET', '/secrets/root-keys')).body.lost
  return {
    ...{ data, receiver, apiUrl, consoleUrl, query, ask, asOwner, ownerCookie: cookie, asSuperuser, rootKeys, lost },
    /** Rotates the root key. @param during called where the new key opens, and where it counts */
    rotate: (during: () => Promise<void> = async () => undefined) =>
      rotateRoot({
        ...{ dataDir: data, production: true, now: () => new Date(), keep: async () => undefined },
        async tell() {
          await askReloadKeys(directoryOf(data).control)
          await during()
        },
      }),
    /** Resolves when nothing is left under earlier root keys that moves by itself. */
    moved: () =>
      expect
        .poll(async () =>
          (await rootKeys())
            .flatMap(({ isCurrent, contents }) => (isCurrent ? [] : contents))
            .filter((one) => one.moves),
        )
        .toEqual([]),
    /** Retires every earlier root key, with an end of what is still under it. */
    async retire() {
      for (const { id, isCurrent } of await rootKeys())
        if (!isCurrent)
          expect(await runCommand('keys', 'retire', id, '--end', '--data', data)).toMatchObject({ code: 0 })
    },
    async restart() {
      await instance.close()
      instance = await start()
    },
    /** Joins the team as a developer. @returns the cookie of the new session */
    async join(email: string) {
      const invited = await asOwner('POST', '/team/invitations', { email, role: 'developer' })
      const account = { token: invited.body.url.split('#')[1], name: 'A developer', password }
      return (await ask('', 'POST', '/invitation/account', account)).cookie
    },
    /** Calls the API as the service role. */
    callApi(place: string, { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {}) {
      const authorization = `Bearer ${serviceRoleKey}`
      return fetch(apiUrl + place, { ...init, headers: { apikey: serviceRoleKey, authorization, ...headers } })
    },
    async close() {
      await instance.close()
      receiver.close()
      for (const place of [folder, dirname(data)])
        await rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

export type RootKeyWorld = Awaited<ReturnType<typeof openRootKeyWorld>>
