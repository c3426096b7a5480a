import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { instanceError } from '../../errors.ts'
import type { SecretUser } from '../../plan/instance.ts'
import { createLiveSettings, readAllSettings } from '../../settings/index.ts'
import { joinReloads } from './join.ts'
import { createSecretReload } from './reload.ts'
import { watchSecretFiles } from './watch.ts'

type Environment = Readonly<Record<string, string>>

const readOf = (environment: Environment) => readAllSettings({ flags: {}, environment, workingDirectory: '/' })

const names = ['metrics_token', '[mail] smtp_pass', '[mail] smtp_user']

/** Settings of an environment that `set` replaces, as a container’s files are. */
function reloadOf(first: Environment, ...users: readonly SecretUser[]) {
  let environment = first
  const { settings } = readOf(first)
  const live = createLiveSettings(settings)
  const lines: string[] = []
  const reread = async () => readOf(environment)
  const { use, reload } = createSecretReload({ first: settings, live, reread, log: (line) => lines.push(line) })
  for (const user of users) use(user)
  return {
    ...{ live, lines, reload },
    set(next: Environment) {
      environment = next
    },
  }
}

const start = { CLEW_METRICS_TOKEN: 'one', CLEW_MAIL_SMTP_PASS: 'one', CLEW_PORT: '54321' }

test('secrets that changed are taken, and other settings are named for the next start', async () => {
  const { live, reload, set } = reloadOf(start)
  expect(await reload()).toEqual({ secrets: [], problems: [], others: [] })
  set({ ...start, CLEW_METRICS_TOKEN: 'two', CLEW_PORT: '1' })
  expect(await reload()).toEqual({
    secrets: [{ name: 'metrics_token', outcome: 'taken', problem: null }],
    problems: [],
    others: ['port'],
  })
  expect(live.settings.instance).toMatchObject({ metricsToken: 'two', port: 54321 })
  expect((await reload()).secrets).toEqual([])
})

test('while a setting is wrong every secret stays', async () => {
  const { live, reload, set } = reloadOf(start)
  set({ ...start, CLEW_METRICS_TOKEN: 'two', CLEW_PORT: 'many' })
  const { secrets, problems } = await reload()
  expect(secrets).toEqual([])
  expect(problems).toEqual(['CLEW_PORT is wrong; allowed: a whole number from 0 to 65535'])
  expect(live.settings.instance.metricsToken).toBe('one')
})

test('a secret that its user refuses stays, is tried again, and holds no other up', async () => {
  let isGood = false
  const refuse = async (): Promise<void> => {
    if (!isGood) throw new Error('The server does not let it in.')
  }
  const { live, reload, set } = reloadOf(start, { secrets: ['[mail] smtp_pass'], check: refuse })
  set({ ...start, CLEW_METRICS_TOKEN: 'two', CLEW_MAIL_SMTP_PASS: 'two' })
  expect((await reload()).secrets).toEqual([
    { name: 'metrics_token', outcome: 'taken', problem: null },
    { name: '[mail] smtp_pass', outcome: 'refused', problem: 'The server does not let it in.' },
  ])
  expect(live.settings.mail.smtpPass).toBe('one')
  isGood = true
  expect((await reload()).secrets).toEqual([{ name: '[mail] smtp_pass', outcome: 'taken', problem: null }])
  expect(live.settings.mail.smtpPass).toBe('two')
})

test('a secret that takes a new start is named as such', async () => {
  const check = async (): Promise<void> => {
    throw instanceError('CLEW_SECRET_NEEDS_START')
  }
  const { live, reload, set } = reloadOf(start, { secrets: ['metrics_token'], check })
  set({ ...start, CLEW_METRICS_TOKEN: 'two' })
  expect((await reload()).secrets).toMatchObject([{ name: 'metrics_token', outcome: 'needs a start' }])
  expect(live.settings.instance.metricsToken).toBe('one')
})

test('those that belong together are taken together, and their user is told once', async () => {
  const seen: unknown[] = []
  const reloading = reloadOf(start, {
    secrets: names,
    taken: () => void seen.push([reloading.live.settings.instance.metricsToken, reloading.live.settings.mail.smtpPass]),
  })
  reloading.set({ CLEW_METRICS_TOKEN: 'two', CLEW_MAIL_SMTP_PASS: 'two' })
  await reloading.reload()
  expect(seen).toEqual([['two', 'two']])
})

test('no value stands in what is told', async () => {
  const user = {
    secrets: ['metrics_token'],
    taken: async () => {
      throw new Error('gone')
    },
  }
  const { lines, reload, set } = reloadOf(start, user)
  set({ ...start, CLEW_METRICS_TOKEN: 'very secret', CLEW_REST_JWT_SECRET: 'very secret' })
  const told = JSON.stringify([await reload(), lines])
  expect(told).toContain('metrics_token')
  expect(told).not.toContain('very secret')
})

test('of several processes the one that fared worst speaks for a secret', () => {
  const of = (outcome: 'taken' | 'refused') => ({
    secrets: [{ name: 'metrics_token', outcome, problem: outcome === 'taken' ? null : 'no' }],
    problems: [],
    others: ['port'],
  })
  expect(joinReloads([of('taken'), of('refused'), of('taken')])).toEqual(of('refused'))
})

test('a file counts as changed once it rests: written in place, or behind a link that leads elsewhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-secret-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  // As Kubernetes mounts a secret: a link to the folder of now, which is replaced as a whole.
  for (const version of ['one', 'two']) {
    await mkdir(join(folder, version))
    await writeFile(join(folder, version, 'password'), version)
  }
  await symlink('one', join(folder, '..data'))
  await symlink(join('..data', 'password'), join(folder, 'password'))
  const plain = join(folder, 'plain')
  await writeFile(plain, 'one')
  const changed = vi.fn(async () => false)
  const watch = watchSecretFiles({ files: [join(folder, 'password'), plain], everyMs: 10, changed })
  onTestFinished(watch.close)
  await watch.begun
  await symlink('two', join(folder, '..data_tmp'))
  await rename(join(folder, '..data_tmp'), join(folder, '..data'))
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1), 10_000)
  await writeFile(plain, 'three')
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2), 10_000)
})

test('what was refused is tried again at each look, without a change of the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-secret-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'password')
  await writeFile(file, 'one')
  const changed = vi.fn(async () => changed.mock.calls.length < 3)
  const watch = watchSecretFiles({ files: [file], everyMs: 10, changed })
  onTestFinished(watch.close)
  await watch.begun
  await writeFile(file, 'another')
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(3), 10_000)
})
