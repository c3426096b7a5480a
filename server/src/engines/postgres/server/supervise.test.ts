import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPostgres } from '../index.ts'

test('a server that was killed is started again, with every answered write', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-pg-again-'))
  const logged: string[] = []
  const postgres = await createPostgres({
    kind: 'embedded',
    dataDir: join(folder, 'data'),
    socketDir: folder,
    port: null,
    password: 'postgres',
    exposedSchemas: ['public'],
    poolSize: 2,
    log: (line) => logged.push(line),
  })
  try {
    await postgres.admin.query({ text: 'create table public.kept as select 7 as n', values: [] })
    const { pid } = await postgres.health()
    process.kill(pid ?? 0, 'SIGKILL')
    await expect.poll(async () => (await postgres.health()).state, { interval: 20 }).toBe('down')
    await expect.poll(async () => (await postgres.health()).state, { interval: 20 }).toBe('up')
    const { rows } = await postgres.admin.query({ text: 'select n from public.kept', values: [] })
    expect(rows).toEqual([{ n: 7 }])
    expect((await postgres.health()).pid).not.toBe(pid)
    expect(logged.join('\n')).toContain('Starting it again')
  } finally {
    await postgres.close()
    await rm(folder, { recursive: true, force: true })
  }
})
