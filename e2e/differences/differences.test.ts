import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { readAllSettings } from '../../server/src/settings/index.ts'
import type { ProductFacts } from '../support/product.ts'
import { sharedCafe } from '../support/shared.ts'
import { type Difference, differences } from './differences.ts'

let product: ProductFacts
beforeAll(async () => {
  product = await sharedCafe()
})

/** Runs texts one after another as `postgres`, and leaves nothing of them; the rows of the last statement. */
async function run(...texts: readonly string[]): Promise<readonly object[]> {
  const client = new pg.Client(product.dbUrl)
  await client.connect()
  try {
    await client.query('begin')
    let rows: readonly object[] = []
    for (const text of texts) {
      const found: pg.QueryResult | pg.QueryResult[] = await client.query(text)
      rows = (Array.isArray(found) ? found.at(-1)?.rows : found.rows) ?? []
    }
    return rows
  } finally {
    await client.query('rollback').catch(() => undefined)
    await client.end()
  }
}

/** The reason for which a key of \`config.toml\` has no effect; undefined where it has one. */
async function reasonOf(toml: string, key: string): Promise<string | null | undefined> {
  const project = await mkdtemp(join(tmpdir(), 'clew-difference-'))
  await mkdir(join(project, 'supabase'))
  await writeFile(join(project, 'supabase', 'config.toml'), toml)
  const { config } = readAllSettings({ flags: { project }, environment: {}, workingDirectory: '/' })
  await rm(project, { recursive: true })
  return config.unused.find((unused) => unused.key === key)?.why
}

test.for(differences.flatMap((chapter) => chapter.differences.map((one) => [one.subject, one] as const)))(
  '%s differs as the page says',
  async ([, { proof }]: readonly [string, Difference]) => {
    switch (proof.kind) {
      case 'answer':
        expect(await run(proof.sql)).toEqual(proof.rows)
        break
      case 'error':
        await expect(run(proof.sql)).rejects.toMatchObject({ code: proof.code })
        break
      case 'plan':
        expect(JSON.stringify(await run(...proof.sql))).toContain(proof.contains)
        break
      case 'request': {
        const headers = { apikey: product.publishableKey }
        expect((await fetch(`${product.apiUrl}${proof.path}`, { headers })).status).toBe(proof.status)
        break
      }
      case 'key':
        expect(await reasonOf(proof.toml, proof.key)).toEqual(expect.any(String))
        break
      default:
        proof satisfies never
    }
  },
)
