import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { command, newDataDir, run, startProduct, until } from '../support/product.ts'
import { inDatabase } from '../support/ticks.ts'

test('a restore that is killed has no directory of its name, and the next one is whole', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-restore-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const place = ['--target', join(folder, 'backups')]
  const product = await startProduct({ dataDir: await newDataDir(join(folder, 'data')) })
  try {
    // Some large files, whose parts are written at once.
    await inDatabase(product, (client) =>
      client.query(
        `create table public.kept as select n, repeat(md5(n::text), 30) as text from generate_series(1, 30000) n`,
      ),
    )
    expect(await run(['backup', 'create', '--data', product.dataDir, ...place])).toMatchObject({ code: 0 })
  } finally {
    await product.stop()
  }
  const to = join(folder, 'restored')
  const args = ['backup', 'restore', ...place, '--to', to]
  const restoring = spawn(command, args, { stdio: 'ignore' })
  const ended = once(restoring, 'exit')
  const written = () => readdir(join(`${to}.restoring`, 'postgres')).catch(() => [])
  await until(async () => (await written()).length > 0)
  restoring.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(await readdir(folder)).not.toContain('restored')

  expect(await run(args)).toMatchObject({ code: 0, stderr: '' })
  expect((await readdir(folder)).sort()).toEqual(['backups', 'data', 'restored'])
  const copy = await startProduct({ dataDir: to })
  try {
    const { rows } = await inDatabase(copy, (client) =>
      client.query(`select count(*)::int, bool_and(text = repeat(md5(n::text), 30)) as "isWhole" from public.kept`),
    )
    expect(rows).toEqual([{ count: 30_000, isWhole: true }])
  } finally {
    await copy.stop()
  }
})
