import { rm } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { newDataDir, type Product, startProduct } from '../support/product.ts'

async function rowsOf(product: Product, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(product.dbUrl)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const runs = `select status, return_message from cron.job_run_details where command like 'select pg_sleep%' order by runid`
const running = { status: 'running', return_message: null }

test('a job that runs when the process is killed is failed by the next start, and runs again', async () => {
  const dataDir = await newDataDir()
  const killed = await startProduct({ dataDir })
  await rowsOf(killed, 'create extension pg_cron')
  await rowsOf(killed, `select cron.schedule('long', '1 second', 'select pg_sleep(600)')`)
  await expect.poll(() => rowsOf(killed, runs)).toEqual([running])
  process.kill(killed.pid, 'SIGKILL')
  const next = await startProduct({ dataDir })
  await expect
    .poll(() => rowsOf(next, runs))
    .toEqual([{ status: 'failed', return_message: 'server restarted' }, running])
  await next.stop()
  const last = await startProduct({ dataDir })
  expect((await rowsOf(last, runs))[1]).toEqual({ status: 'failed', return_message: 'job canceled' })
  await last.close()
  await rm(dataDir, { recursive: true, force: true })
}, 120_000)
