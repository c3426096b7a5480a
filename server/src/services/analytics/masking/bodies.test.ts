import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refusedRowsIn } from '../../../../test/refused-rows.ts'
import type { Masks } from '../../../ground/privacy/masks.ts'
import { setBodiesAside } from './bodies.ts'

const sending = { again: false, attempt: 1, signal: new AbortController().signal }
const head = '{"receivedAtMs":1,"userAgent":"Firefox","sentAt":null}'
const body = Buffer.from(
  `${head}\n${JSON.stringify({
    batch: [
      {
        event: 'ordered',
        properties: {
          distinct_id: 'ada',
          email: { of: 'ada@x.test' },
          $current_url: 'https://x.test/?email=ada@x.test&n=1',
          $set: { email: 'ada@x.test', plan: 'pro' },
        },
        $set: { email: ['ada@x.test'] },
      },
    ],
  })}`,
)
const masking = (...properties: string[]): Masks => ({ current: async () => ({ columns: [], properties }) })

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-bodies-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

/** What of a body the file of refused rows has. */
async function setAside(masks: Masks, kept: Buffer): Promise<string> {
  await setBodiesAside(refusedRowsIn(folder), masks)([kept], sending)
  const { row } = JSON.parse(await readFile(join(folder, 'refused', 'rows.ndjson'), 'utf8')) as { row: string }
  return row
}

test('a body that cannot be planned is set aside as it was sent while nothing is masked', async () => {
  expect(await setAside(masking(), body)).toBe(body.toString())
})

test('what is masked is masked in a body that is set aside, wherever it stands', async () => {
  const [first, second = ''] = (await setAside(masking('email'), body)).split('\n')
  expect(first).toBe(head)
  expect(second).not.toContain('ada@x.test')
  const masked = '[masked]'
  expect(JSON.parse(second)).toEqual({
    batch: [
      {
        event: 'ordered',
        properties: {
          distinct_id: 'ada',
          email: masked,
          $current_url: `https://x.test/?email=${masked}&n=1`,
          $set: { email: masked, plan: 'pro' },
        },
        $set: { email: masked },
      },
    ],
  })
})

test('the header that tells a masked browser is masked as well', async () => {
  expect(await setAside(masking('$browser'), body)).not.toContain('Firefox')
})

test.each(['no head', `${head}\n{"email":"ada@x.test"`])(
  'of a body that cannot be read nothing is kept where something is masked: %s',
  async (kept) => {
    expect(await setAside(masking('email'), Buffer.from(kept))).not.toMatch(/no head|receivedAtMs|ada/)
  },
)

test('while it is not known what is masked, nothing is set aside', async () => {
  const unknown = { current: async () => Promise.reject(new Error('unknown')) }
  await expect(setAside(unknown, body)).rejects.toThrow('unknown')
  await expect(readdir(folder)).resolves.toEqual([])
})
