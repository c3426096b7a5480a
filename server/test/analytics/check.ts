import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import type { AnalyticsCase, Call, StoredEvent } from '../cases/analytics/case.ts'
import { type Rows, rowsOf } from './rows.ts'
import type { Scope } from './scope.ts'
import type { SentCase } from './send.ts'

/** Holds what was answered and what is stored against a case. */
export async function checkCase(rows: Rows, one: AnalyticsCase, sent: SentCase): Promise<void> {
  for (const [index, call] of one.calls.entries()) {
    const answer = sent.answers[index]
    if (answer === undefined) throw new Error('It was not sent.')
    await checkAnswer(call, answer, sent.scope)
  }
  const { events = [], messages = [], persons, groups } = one.stored ?? {}
  const stored = rowsOf(rows, sent.scope)
  expect(stored.events.map((row, index) => withLacks(row, events[index]))).toMatchObject(events)
  expect(stored.messages).toMatchObject(messages)
  if (persons !== undefined) {
    expect(stored.persons.map((person, index) => pick(person, persons[index]))).toEqual(persons)
  }
  if (groups !== undefined) expect(stored.groups).toEqual(groups)
}

/** What a row lacks of the properties that it should lack. */
function withLacks(row: { readonly properties: object }, wanted: StoredEvent | undefined): object {
  return { ...row, lacks: (wanted?.lacks ?? []).filter((name) => !Object.hasOwn(row.properties, name)) }
}

const pick = (row: object, names: object | undefined): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names === undefined || Object.hasOwn(names, name)))

async function checkAnswer(call: Call, answer: SentCase['answers'][number], scope: Scope): Promise<void> {
  const text = answer.body.toString()
  const { status = 200, file } = call
  expect({ request: call.request, status: answer.status, text: text.slice(0, 400) }).toMatchObject({
    ...{ request: call.request, status },
  })
  if (call.text !== undefined) expect(text).toBe(call.text)
  if (call.json !== undefined) expect(scope.mark(JSON.parse(text))).toEqual(call.json)
  if (call.members !== undefined) expect(pick(scope.mark(JSON.parse(text)), call.members)).toEqual(call.members)
  if (call.holds !== undefined) expect(scope.mark(JSON.parse(text))).toMatchObject(call.holds)
  if (file !== undefined) expect(answer.body.equals(await readFile(join(scriptFolder, file)))).toBe(true)
  if (call.page !== undefined) {
    const window = {}
    runInNewContext(text, { window })
    expect(scope.mark(window)).toMatchObject(call.page)
  }
  if (call.allows !== undefined) {
    const allowed = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/, */)
    expect(allowed).toEqual(expect.arrayContaining(call.allows.split(',')))
  }
  for (const [name, value] of Object.entries(call.answer ?? {}))
    expect({ [name]: answer.headers.get(name) }).toEqual({ [name]: value })
}

const scriptFolder = dirname(createRequire(import.meta.url).resolve('posthog-js'))

/** Of the posthog-js whose scripts are served. */
export async function readScriptVersion(): Promise<string> {
  const manifest: { readonly version: string } = JSON.parse(
    await readFile(join(scriptFolder, '..', 'package.json'), 'utf8'),
  )
  return manifest.version
}
