import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run, startProduct } from '../support/product.ts'

test.each(['persons', 'events'] as const)('clew export %s writes what a client sent', async (kind) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-rows-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const product = await startProduct()
  onTestFinished(() => product.close())
  const properties = { distinct_id: 'ann', $set: { plan: 'pro' } }
  const body = JSON.stringify({ api_key: product.ingestToken, batch: [{ event: 'cup sold', properties }] })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${product.apiUrl}/ingest/batch/`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
  let attempts = 0
  const rows = async (): Promise<readonly unknown[]> => {
    attempts += 1
    const out = join(folder, `${attempts}.jsonl`)
    const exported = await run(['export', kind, '--format', 'jsonl', '--out', out, '--data', product.dataDir])
    expect(exported).toMatchObject({ code: 0, stderr: '' })
    const text = await readFile(out, 'utf8')
    return text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)))
  }
  const known = { persons: { properties: '{"plan": "pro"}' }, events: { event: 'cup sold', distinct_id: 'ann' } }
  await expect.poll(rows, { timeout: 20_000 }).toMatchObject([known[kind]])
})
