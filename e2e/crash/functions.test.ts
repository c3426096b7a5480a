import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Product, run, startProduct } from '../support/product.ts'

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

/** Another folder's function, of two files that say the same version. */
async function writeVersion(project: string, version: number): Promise<void> {
  const functions = join(project, 'supabase', 'functions')
  for (const folder of ['killed-deploy', '_shared']) await mkdir(join(functions, folder), { recursive: true })
  await writeFile(join(functions, '_shared', 'version.ts'), `export const shared = ${version}`)
  await writeFile(
    join(functions, 'killed-deploy', 'index.ts'),
    `import { shared } from '../_shared/version.ts'
     Deno.serve(() => Response.json([${version}, shared]))`,
  )
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
  'killed in calls and in a deployment, it leaves no process behind for long, and serves whole versions afterwards',
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
    const elsewhere = await mkdtemp(join(tmpdir(), 'clew-killed-deploys-'))
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
    const deploy = async (version: number) => {
      await writeVersion(elsewhere, version)
      return run(['functions', 'deploy', '--data', product.dataDir, '--project', elsewhere])
    }
    let answering = 0
    expect((await deploy(answering)).code).toBe(0)
    for (let round = 0; round < rounds; round += 1) {
      const open = ['killed-waits', 'killed-loops'].map((name) => call(product, name).catch(() => null))
      await expect.poll(() => pidsOf('killed-waits')).toHaveLength(1)
      await expect.poll(() => pidsOf('killed-loops')).toHaveLength(1)
      const next = answering + 1
      const deployed = deploy(next)
      await new Promise((done) => setTimeout(done, 500 + Math.random() * 1500))
      product.child.kill('SIGKILL')
      expect(await Promise.all(open)).toEqual([null, null])
      await expect.poll(() => pidsOf('killed-waits')).toEqual([])
      product = await startProduct({ dataDir: product.dataDir, project, env })
      expect(await pidsOf('killed-loops')).toEqual([])
      expect(await (await call(product, 'killed-waits?now')).text()).toBe('here')
      const isDone = (await deployed).code === 0
      const both = await (await call(product, 'killed-deploy')).json()
      // What was said to be deployed answers; what was not, answers whole or not at all.
      expect(
        isDone
          ? [[next, next]]
          : [
              [answering, answering],
              [next, next],
            ],
      ).toContainEqual(both)
      answering = both[0]
    }
  },
)
