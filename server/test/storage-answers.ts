import { expect } from 'vitest'
import { test as base, type TestDatabase } from './harness.ts'
import { openStorage, type StorageApp } from './storage-app.ts'

export interface AnswersApp extends StorageApp {
  readonly db: TestDatabase
}

/** Object storage with a public bucket `open`, in it `a.txt`, and a bucket `b`. */
export const answersTest = base.extend('app', async ({ db }): Promise<AnswersApp> => {
  const app = await openStorage(db, { settings: { sharedCacheSeconds: 90, imageTransformation: true } })
  await db.load(`insert into storage.buckets (id, name, public) values ('b', 'b', false), ('open', 'open', true)`)
  await app.client().from('open').upload('a.txt', 'hello', { cacheControl: '60', contentType: 'text/plain' })
  return { ...app, db }
})

/** One answer: a sentence, the request, who sends it, and what must come back. */
export interface Answer {
  readonly rule: string
  readonly request: string
  /** A role or a user; the service role by default. */
  readonly as?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status: number
  readonly json?: unknown
  readonly text?: string
  /** By name; null for one that must not be there. */
  readonly answer?: Readonly<Record<string, string | null>>
}

export async function check(app: AnswersApp, { rule, request, as, headers, body, ...expected }: Answer): Promise<void> {
  const [method = '', path = ''] = request.split(' ')
  const options = { method, ...(as === undefined ? {} : { as }), ...(body === undefined ? {} : { body }) }
  const answer = await app.call(path, { ...options, headers: headers ?? {} })
  const text = await answer.text()
  expect.soft(answer.status, `${rule}: ${text}`).toBe(expected.status)
  if (expected.json !== undefined) expect.soft(JSON.parse(text || 'null'), rule).toEqual(expected.json)
  if (expected.text !== undefined) expect.soft(text, rule).toBe(expected.text)
  for (const [name, value] of Object.entries(expected.answer ?? {}))
    expect.soft(answer.headers.get(name), `${rule}: ${name}`).toBe(value)
}

export const refused = (statusCode: string, error: string, code: string, message: string | RegExp = /./) => ({
  statusCode,
  error,
  code,
  message: expect.stringMatching(message),
})
