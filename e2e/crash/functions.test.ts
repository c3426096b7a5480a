import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Product, startProduct } from '../support/product.ts'

/** More by hand: `CLEW_TRIALS=100`. */
const rounds = Math.min(10, Number(process.env.CLEW_TRIALS ?? 1))

const sources = {
  'killed-waits': `
    Deno.serve(async (request) => {
      if (new URL(request.url).searchParams.has('now')) return new Response('here')
      await new Promise((done) => setTimeout(done, 60_000))
      return new Response('late')
    })`,
  // It never comes to read that its server is gone.
  'killed-loops': `Deno.serve(() => { for (;;) {} })`,
}

/** Processes that run a version of a function. */
async function pidsOf(name: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((each) => /^\d+$/.test(each))
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((_pid, at) => commands[at]?.includes(`/versions/${name}-`))
}

const call = (product: Product, path: string): Promise<Response> =>
  fetch(`${product.apiUrl}/functions/v1/${path}`, { headers: { authorization: `Bearer ${product.anonKey}` } })

test.runIf(process.platform === 'linux')(
  'killed while functions are called, it leaves no process behind for long, and the next start serves them',
  async () => {
    const project = await mkdtemp(join(tmpdir(), 'clew-killed-functions-'))
    onTestFinished(() => rm(project, { recursive: true, force: true }))
    for (const [name, source] of Object.entries(sources)) {
      const folder = join(project, 'supabase', 'functions', name)
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'index.ts'), source)
    }
    const env = { CLEW_FUNCTIONS_CPU_MS: '0' }
    let product = await startProduct({ project, env })
    onTestFinished(() => product.close())
    for (let round = 0; round < rounds; round += 1) {
      const open = ['killed-waits', 'killed-loops'].map((name) => call(product, name).catch(() => null))
      await expect.poll(() => pidsOf('killed-waits')).toHaveLength(1)
      await expect.poll(() => pidsOf('killed-loops')).toHaveLength(1)
      product.child.kill('SIGKILL')
      expect(await Promise.all(open)).toEqual([null, null])
      await expect.poll(() => pidsOf('killed-waits')).toEqual([])
      product = await startProduct({ dataDir: product.dataDir, project, env })
      expect(await pidsOf('killed-loops')).toEqual([])
      expect(await (await call(product, 'killed-waits?now')).text()).toBe('here')
    }
  },
)
