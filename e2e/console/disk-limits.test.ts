import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { expect, onTestFinished, test } from 'vitest'
import ws from 'ws'
import { askStatus } from '../../server/src/instance/control.ts'
import { directoryOf } from '../../server/src/instance/directory.ts'
import { claimOwner, signInOwner } from '../support/console-api.ts'
import { newDataDir, type Product, startProduct, until } from '../support/product.ts'

const mib = 1024 ** 2
const env = { CLEW_DISK_FILES_LIMIT_MIB: '2', CLEW_ALERTS_EVERY_SECONDS: '1' }

interface AlertsAnswer {
  readonly rules: readonly { readonly id: string; readonly states: readonly AlertState[] }[]
}

interface AlertState {
  readonly subject: string
  readonly isFiring: boolean
  readonly detail: string | null
}

const filesOf = ({ apiUrl, secretKey }: Product) =>
  createClient(apiUrl, secretKey, { realtime: { transport: ws } }).storage.from('kept')

test('at the limit of files an upload is answered with 507; Disk, health and an alert say so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-limits-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const dataDir = await newDataDir(join(folder, 'data'))
  const first = await startProduct({ dataDir, env })
  await claimOwner(first)
  await createClient(first.apiUrl, first.secretKey, { realtime: { transport: ws } }).storage.createBucket('kept')
  const bytes = Buffer.alloc(2 * mib, 'x')
  expect((await filesOf(first).upload('first', bytes)).error).toBeNull()
  await first.stop()

  // A start counts the files at once.
  const product = await startProduct({ dataDir, env })
  onTestFinished(async () => {
    await product.stop()
  })
  const api = await signInOwner(product)
  const files = filesOf(product)
  await until(async () => (await files.upload('second', 'x', { upsert: true })).error !== null)
  const { error } = await files.upload('third', 'x')
  expect(error).toMatchObject({ status: 507 })
  expect((await files.download('first')).data?.size).toBe(2 * mib)

  const { kinds } = await api.get<{ readonly kinds: readonly { readonly kind: string }[] }>('/disk')
  expect(kinds.find(({ kind }) => kind === 'files')).toMatchObject({ bytes: expect.any(Number), budgetBytes: 2 * mib })
  const said = 'Files take 2 MiB of 2 (files_limit_mib of [disk]). Storage takes no more files'
  const { engines } = await askStatus(directoryOf(dataDir).control)
  expect(engines.find(({ name }) => name === 'budgets')).toMatchObject({
    state: 'degraded',
    detail: expect.stringContaining(said),
  })
  const budgetAlert = async () =>
    (await api.get<AlertsAnswer>('/alerts')).rules.find(({ id }) => id === 'budget')?.states ?? []
  await until(async () => (await budgetAlert()).some(({ isFiring }) => isFiring))
  expect(await budgetAlert()).toMatchObject([{ subject: 'files', detail: expect.stringContaining(said) }])
})
