import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@supabase/supabase-js'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import ws from 'ws'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { claimOwner } from '../support/console-api.ts'
import { openSignedIn } from '../support/console-page.ts'
import { command, type Product, run, startProduct, until } from '../support/product.ts'
import { openSharedBrowser } from '../support/shared.ts'

const guide = fileURLToPath(new URL('../../docs/guide/functions.md', import.meta.url))
const limitMs = 60_000

const source = (greeting: string): string => `Deno.serve(async (request) => {
  const { name } = await request.json()
  console.log('greets', name)
  if (name === 'Bob') console.error('Bob is not welcome')
  return Response.json({ text: \`${greeting} \${name}, \${Deno.env.get('SIGNATURE') ?? 'unsigned'}\` })
})
`

describe('a folder is deployed to an instance in production', () => {
  let product: Product
  let browser: Browser
  let page: Page
  let folder: string
  let project: string
  let origin: string
  let token = ''
  const entry = (): string => join(project, 'supabase/functions/greet/index.ts')
  const env = (): NodeJS.ProcessEnv => ({ XDG_CONFIG_HOME: join(folder, 'config'), CLEW_ACCESS_TOKEN: '' })
  const clew = (...args: readonly string[]) => run(args, project, env())
  const greet = async (name: string): Promise<unknown> => {
    const options = { auth: { persistSession: false }, realtime: { transport: ws } }
    const client = createClient(product.apiUrl, product.anonKey, options)
    const { data, error } = await client.functions.invoke('greet', { body: { name } })
    return error ?? data.text
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-deploy-'))
    project = join(folder, 'project')
    await mkdir(join(project, 'supabase/functions/greet'), { recursive: true })
    await writeFile(join(project, 'supabase/config.toml'), 'project_id = "greetings"\n')
    await writeFile(entry(), source('Hello'))
    product = await startProduct({ args: ['--production'] })
    await claimOwner(product)
    origin = new URL(product.consoleUrl).origin
    browser = await openSharedBrowser()
    page = await (await openVisitor(browser, { width: 1280, height: 800 })).newPage()
    page.setDefaultTimeout(limitMs)
  }, 180_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, page, product.output())
  })
  afterAll(async () => {
    await browser?.close()
    await product?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('an access token is made in the console, and shown once', async () => {
    await openSignedIn(page, `${product.consoleUrl}/access?token=laptop`)
    const card = page.getByRole('region', { name: 'Access tokens' })
    expect(await card.getByLabel('Name').inputValue()).toBe('laptop')
    await card.getByRole('button', { name: 'Make', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Your access token' })
    token = (await dialog.getByText(/^clew_pat_/).textContent()) ?? ''
    expect(token).toMatch(/^clew_pat_[\w-]{43}$/)
    await dialog.getByRole('button', { name: 'I have it' }).click()
    await card.getByText('not used yet').waitFor()
    expect(await page.getByText(token).count()).toBe(0)
  })

  test(
    '`clew login` asks for it on a terminal, which does not show it',
    async () => {
      const before = await clew('functions', 'list', '--url', origin)
      expect(before).toMatchObject({
        code: 17,
        stderr: expect.stringContaining(`There is no access token for ${origin}.`),
      })
      // A terminal of its own.
      const line = `${command} login ${origin}`
      const terminal = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
        cwd: project,
        stdio: ['pipe', 'pipe', 'ignore'],
        env: { ...process.env, ...env() },
      })
      let shown = ''
      terminal.stdout.on('data', (chunk: Buffer) => {
        shown += chunk.toString()
      })
      const ended = new Promise((resolve) => terminal.once('exit', resolve))
      await until(() => shown.includes('Access token: '), limitMs)
      expect(shown).toContain(`${origin}/console/access?token=`)
      terminal.stdin.write(`${token}\n`)
      expect(await ended).toBe(0)
      expect(shown).toContain('(production)')
      expect(shown).not.toContain(token.slice(9))
    },
    limitMs,
  )

  test('the guide’s commands link the folder and deploy it; secrets, calls, logs and versions follow', async () => {
    const part = (await readFile(guide, 'utf8')).split('## Deploy to production')[1] ?? ''
    const [login, ...rest] = (/```sh\n([^`]+)```/.exec(part)?.[1] ?? '').trim().split('\n')
    expect(login).toBe('clew login https://console.example.com')
    expect(rest).toHaveLength(2)
    for (const text of rest) {
      const args = text.replace('https://console.example.com', origin).split(' ').slice(1)
      expect(await clew(...args), text).toMatchObject({ code: 0, stderr: '' })
    }
    expect(await greet('Ana')).toBe('Hello Ana, unsigned')
    expect(await clew('secrets', 'set', 'SIGNATURE=yours')).toMatchObject({ code: 0 })
    expect(await greet('Ana')).toBe('Hello Ana, yours')
    await writeFile(entry(), source('Good evening'))
    expect(await clew('functions', 'deploy', 'greet')).toMatchObject({ code: 0 })
    expect(await greet('Bob')).toBe('Good evening Bob, yours')
    expect(await clew('functions', 'rollback', 'greet')).toMatchObject({ code: 0 })
    expect(await greet('Cleo')).toBe('Hello Cleo, yours')
  }, 120_000)

  test('what it logged is read by level and time, and followed as it is written', async () => {
    const logs = async (...args: readonly string[]): Promise<string> => {
      const { stdout, stderr } = await clew('functions', 'logs', 'greet', ...args)
      return stdout + stderr
    }
    await expect.poll(() => logs('--since', '1h'), { timeout: limitMs }).toContain('greets Cleo')
    const all = await logs()
    expect(all.indexOf('greets Ana')).toBeLessThan(all.indexOf('greets Bob'))
    const [error, ...others] = (await logs('--level', 'error', '--json')).trim().split('\n')
    expect(JSON.parse(error ?? '')).toMatchObject({ level: 'error', text: 'Bob is not welcome' })
    expect(others).toEqual([])
    expect(await logs('--since', '2999-01-01')).toMatch(/^ {2}No line of greet matches/)
    expect(await clew('functions', 'logs', 'nothing')).toMatchObject({ code: 16, stdout: '' })

    const follower = spawn(command, ['functions', 'logs', 'greet', '--follow', '--limit', '1'], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env() },
    })
    let followed = ''
    follower.stdout.on('data', (chunk: Buffer) => {
      followed += chunk.toString()
    })
    await until(() => followed !== '', limitMs)
    await greet('Dora')
    await until(() => followed.includes('greets Dora'), limitMs)
    follower.kill('SIGINT')
    expect(followed.split('greets Dora')).toHaveLength(2)
    const here = await run(['functions', 'logs', 'greet', '--data', product.dataDir, '--limit', '1000'], tmpdir())
    expect(here).toMatchObject({ code: 0, stdout: expect.stringContaining('greets Dora') })
  }, 120_000)

  test(
    'its source is downloaded, and it is deleted',
    async () => {
      expect(await clew('functions', 'download', 'greet', '--force')).toMatchObject({ code: 0 })
      expect(await readFile(entry(), 'utf8')).toBe(source('Hello'))
      expect(await clew('functions', 'delete', 'greet', '--yes')).toMatchObject({ code: 0 })
      expect(await greet('Ana')).toMatchObject({ context: { status: 404 } })
    },
    limitMs,
  )

  test(
    'a wrong and a revoked token are refused in one line',
    async () => {
      const refusal = /^CLEW_SIGNED_OUT {2}The access token is unknown, was revoked, or has expired\.\n.+clew login/
      const refused = async (...given: readonly string[]): Promise<void> => {
        const { code, stderr } = await run(['functions', 'list'], project, {
          ...env(),
          CLEW_ACCESS_TOKEN: given[0] ?? '',
        })
        expect([code, stderr.trim()]).toEqual([17, expect.stringMatching(refusal)])
      }
      expect(await clew('functions', 'list')).toMatchObject({ code: 0 })
      await refused('clew_pat_wrong')
      await page.reload()
      const card = page.getByRole('region', { name: 'Access tokens' })
      await card.getByText(/used .+ from 127\.0\.0\.1/).waitFor()
      await card.getByRole('button', { name: 'Revoke laptop' }).click()
      await card.getByRole('button', { name: 'Revoke laptop for good' }).click()
      await card.getByText('expires').waitFor({ state: 'detached' })
      await refused()
    },
    limitMs,
  )
})
