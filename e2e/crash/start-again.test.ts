import { randomInt } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { freePort, type Product, startProduct } from '../support/product.ts'

/** More by hand: `CLEW_TRIALS=100`. */
const trials = Number(process.env.CLEW_TRIALS ?? 1)
const longestLifeMs = 1_500

/** A process and all that it has started, and what those have. */
async function familyOf(pid: number): Promise<readonly number[]> {
  const children = new Map<number, number[]>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const family: number[] = []
  const add = (member: number): void => {
    family.push(member)
    for (const child of children.get(member) ?? []) add(child)
  }
  add(pid)
  return family
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended of itself, as its parent did.
  }
}

async function write(product: Product, value: number): Promise<void> {
  const client = new pg.Client(product.dbUrl)
  await client.connect()
  await client.query('insert into public.kept values ($1)', [value])
  await client.end()
}

test(
  `killed with everything it has started, it starts at once (${trials} times)`,
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'clew-again-'))
    // The same ports each time, and with them the same names of sockets and locks.
    const args = ['--db-port', String(await freePort())]
    const port = await freePort()
    let product = await startProduct({ dataDir, port, args })
    const client = new pg.Client(product.dbUrl)
    await client.connect()
    await client.query('create table public.kept (value int primary key)')
    await client.end()
    for (let trial = 1; trial <= trials; trial += 1) {
      await write(product, trial)
      await pause(randomInt(longestLifeMs))
      const family = [...(await familyOf(product.pid))].sort(() => randomInt(3) - 1)
      for (const pid of family) kill(pid)
      product = await startProduct({ dataDir, port, args }).catch((error: unknown) => {
        throw new Error(`Trial ${trial} of ${trials} did not start.`, { cause: error })
      })
    }
    const again = new pg.Client(product.dbUrl)
    await again.connect()
    const { rows } = await again.query('select count(*)::int as count from public.kept')
    await again.end()
    expect(rows).toEqual([{ count: trials }])
    expect(await product.stop()).toBe(0)
    await rm(dataDir, { recursive: true, force: true })
  },
  60_000 + trials * 60_000,
)
