import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { PostHog } from 'posthog-node'
import { expect, vi } from 'vitest'
import { spoolSettings } from '../src/engines/spool/index.ts'
import { createThreads } from '../src/engines/threads/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { analyticsSettings, analyticsTables, capturePlugin, createAnalytics } from '../src/services/analytics/index.ts'
import { createSurveys, surveysService, surveysSettings, surveysTables } from '../src/services/surveys/index.ts'
import { consoleApp } from './console-app.ts'
import { recordings } from './counted-recordings.ts'
import { test as base } from './harness.ts'
import { recordedActions } from './operator-actions.ts'
import { refusedRowsIn } from './refused-rows.ts'

const token = 'phc_test'
const mostBytes = 64 * 1024
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

const test = base.extend('product', async ({ db, clickhouseOfFile: clickhouse }, { onCleanup }) => {
  const spoolDir = await mkdtemp(join(tmpdir(), 'clew-surveys-'))
  await db.migrate('analytics', analyticsTables.postgres)
  await db.migrate('surveys', surveysTables.postgres)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  const threads = createThreads()
  const analytics = await createAnalytics({
    ...{ sql: db.admin, clickhouse, spoolDir, refused: refusedRowsIn(spoolDir), threads },
    recordings: { ...recordings, store: async () => undefined, forget: async () => undefined },
    spoolSettings: readSettings(spoolSettings, []).values,
    ingestTokens: [token],
    isSecretKey: () => false,
    ...{ now: () => new Date(), newId: uuidv7, log: silent },
    settings: readSettings(analyticsSettings, []).values,
  })
  const surveys = await createSurveys({
    ...{ sql: db.admin, listen: db.listen, newId: uuidv7, log: silent },
    events: analytics.surveyEvents,
    settings: { ...readSettings(surveysSettings, []).values, maxSurveys: 3, countedMib: mostBytes / 1024 ** 2 },
  })
  const app = Fastify()
  await app.register(capturePlugin(analytics, undefined, surveys), { prefix: '/ingest' })
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/ingest`
  const openConsole = async (role: 'developer' | 'analyst') => {
    const { actions, log } = recordedActions(role)
    const ask = await consoleApp(async (part) => {
      for (const each of surveysService(surveys, actions).console) await part.register(each)
    })
    return { ask, log }
  }
  const { ask, log } = await openConsole('developer')
  onCleanup(async () => {
    await app.close()
    await surveys.close()
    await analytics.close()
    await threads.close()
    await clickhouse.command({ text: 'truncate table events', parameters: {} })
    await rm(spoolDir, { recursive: true, force: true })
  })
  const running = async (): Promise<readonly { readonly id: string }[]> => {
    const answer = await fetch(`${url}/api/surveys/?token=${token}`)
    return ((await answer.json()) as { surveys: readonly { readonly id: string }[] }).surveys
  }
  const config = async () => (await fetch(`${url}/array/${token}/config`)).json()
  return { url, ask, log, running, config, openConsole }
})

const draft = {
  name: 'After the order',
  description: '',
  type: 'popover',
  questions: [
    {
      type: 'rating',
      id: 'score',
      question: 'Would you tell a friend?',
      display: 'number',
      scale: 10,
      lowerBoundLabel: 'No',
      upperBoundLabel: 'Yes',
      branching: { type: 'response_based', responseValues: { promoters: 2, passives: 'end' } },
    },
    {
      ...{ type: 'single_choice', id: 'why', question: 'Why?', choices: ['Price', 'Taste'], hasOpenChoice: true },
      branching: { type: 'specific_question', index: 2 },
    },
    { type: 'open', id: 'more', question: 'Anything else?', optional: true, branching: { type: 'end' } },
  ],
  appearance: { backgroundColor: '#fff', displayThankYouMessage: true },
  conditions: { url: 'https://cafe.test/orders', urlMatchType: 'icontains', events: { values: [{ name: 'ordered' }] } },
  linkedFlagKey: null,
  schedule: 'once',
  partialResponses: true,
}

test('a survey is drafted, begun, changed, ended and archived; browsers are told of it while it runs', async ({
  product,
}) => {
  const { ask, log, running, config } = product
  const { status, body: created } = await ask('POST', '/surveys', draft)
  expect([status, created]).toEqual([201, expect.objectContaining({ ...draft, state: 'draft', version: 1 })])
  expect(await running()).toEqual([])
  expect(await config()).toMatchObject({ surveys: false })

  const begun = await ask('PUT', `/surveys/${created.id}/running`, { running: true })
  expect(begun.body).toMatchObject({ state: 'running', startDate: expect.any(String), endDate: null })
  await expect.poll(running).toEqual([
    expect.objectContaining({
      ...{ id: created.id, name: draft.name, type: 'popover', questions: draft.questions },
      ...{ appearance: draft.appearance, conditions: draft.conditions, schedule: 'once' },
      ...{ start_date: expect.any(String), end_date: null, enable_partial_responses: true, linked_flag_key: null },
    }),
  ])
  expect(await config()).toMatchObject({ surveys: true })

  const survey = { ...draft, name: 'After an order' }
  const changed = await ask('PUT', `/surveys/${created.id}`, { version: begun.body.version, survey })
  expect(changed.body).toMatchObject({ name: 'After an order', state: 'running' })
  const late = await ask('PUT', `/surveys/${created.id}`, { version: 1, survey })
  expect([late.status, late.body.code]).toEqual([409, 'CLEW_SURVEYS_CHANGED'])

  expect((await ask('PUT', `/surveys/${created.id}/running`, { running: false })).body.state).toBe('ended')
  await expect.poll(running).toEqual([])
  expect((await ask('DELETE', `/surveys/${created.id}`)).status).toBe(204)
  expect((await ask('GET', `/surveys/${created.id}`)).body.code).toBe('CLEW_SURVEYS_NOT_FOUND')
  expect(log.map(({ name }) => name)).toEqual([
    'survey.create',
    'survey.begin',
    'survey.change',
    'survey.change',
    'survey.end',
    'survey.archive',
  ])
})

test('a survey that cannot be asked is refused, and nothing is stored', async ({ product }) => {
  const { ask } = product
  const [first] = draft.questions
  for (const wrong of [
    { ...draft, questions: [] },
    { ...draft, questions: [first, first] },
    { ...draft, questions: [{ type: 'link', id: 'l', question: 'Look', link: 'javascript:alert(1)' }] },
    { ...draft, questions: [{ ...first, scale: 4 }] },
    ...[
      { type: 'specific_question' },
      { type: 'specific_question', index: 0 },
      { type: 'specific_question', index: 3 },
      { type: 'response_based', responseValues: { promoters: 0 } },
      { type: 'response_based', responseValues: { promoters: 1.5 } },
      { type: 'response_based', responseValues: { positive: 1 } },
      { type: 'response_based', responseValues: { promoters: 'start' } },
      { type: 'next_week' },
    ].map((branching) => ({ ...draft, questions: [{ ...first, branching }, ...draft.questions.slice(1)] })),
    { ...draft, conditions: { url: '(', urlMatchType: 'regex' } },
    { ...draft, type: 'telegram' },
    { ...draft, name: '' },
  ]) {
    expect((await ask('POST', '/surveys', wrong)).status).toBe(400)
  }
  expect((await ask('GET', '/surveys')).body).toEqual({ surveys: [] })
  for (let count = 0; count < 3; count += 1) expect((await ask('POST', '/surveys', draft)).status).toBe(201)
  expect((await ask('POST', '/surveys', draft)).body.code).toBe('CLEW_SURVEYS_TOO_MANY')
})

test('answers are counted once a submission; analysts see counts and no texts', async ({ product }) => {
  const { url, ask, openConsole } = product
  const { id } = (await ask('POST', '/surveys', draft)).body
  const client = new PostHog(token, { host: url, flushAt: 100, flushInterval: 0 })
  const send = (distinctId: string, event: string, properties: object = {}) =>
    client.capture({ distinctId, event, properties: { $survey_id: id, ...properties } })
  for (const who of ['ada', 'bob', 'cy']) send(who, 'survey shown')
  send('cy', 'survey dismissed')
  const submission = { $survey_submission_id: 'one' }
  const session = '0199a1b2-7c00-7000-8000-000000000001'
  send('ada', 'survey sent', { ...submission, $survey_response_score: 9 })
  await client.flush()
  send('ada', 'survey sent', {
    ...submission,
    $survey_response_score: 9,
    $survey_response_why: 'Taste',
    $survey_response_more: 'More cake',
    $session_id: session,
  })
  // An older client numbers the questions.
  send('bob', 'survey sent', { $survey_response: '3', $survey_response_1: 'It was on my way' })
  send('bob', 'survey sent', { $survey_id: 'another', $survey_response: '10' })
  await client.shutdown()

  const results = (await openConsole('analyst')).ask
  await vi.waitFor(
    async () =>
      expect((await ask('GET', `/surveys/${id}/results`)).body).toMatchObject({ shown: 3, answered: 2, dismissed: 1 }),
    { timeout: 20_000, interval: 200 },
  )
  expect((await ask('GET', `/surveys/${id}/results`)).body.questions).toEqual([
    expect.objectContaining({
      id: 'score',
      nps: 0,
      texts: [],
      counts: [
        { value: '3', count: 1 },
        { value: '9', count: 1 },
      ],
    }),
    expect.objectContaining({
      id: 'why',
      nps: null,
      counts: [
        { value: 'It was on my way', count: 1 },
        { value: 'Taste', count: 1 },
      ],
    }),
    expect.objectContaining({
      id: 'more',
      counts: [],
      texts: [expect.objectContaining({ text: 'More cake', distinctId: 'ada', sessionId: session })],
    }),
  ])
  const { questions } = (await results('GET', `/surveys/${id}/results`)).body
  expect(questions[1].counts).toEqual([
    { value: 'Other', count: 1 },
    { value: 'Taste', count: 1 },
  ])
  expect(questions.map(({ texts }: { texts: unknown }) => texts)).toEqual([null, null, null])
  expect((await results('POST', '/surveys', draft)).status).toBe(403)
})

test('what the public key sends as an answer costs no more than the settings let it', async ({ product }) => {
  const { url, ask } = product
  const { id } = (await ask('POST', '/surveys', draft)).body
  const send = (distinctId: string, timestamp: string, properties: object) =>
    fetch(`${url}/e/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ api_key: token, event: 'survey sent', distinct_id: distinctId, timestamp },
        properties: { $survey_id: id, ...properties },
      }),
    })
  const size = mostBytes / 4
  await send('eve', '2026-03-02T10:00:00Z', { $survey_response_why: 'x'.repeat(size * 5) })
  await send('eve', '2026-03-02T10:00:01Z', { $survey_response_more: 'x'.repeat(size * 2) })
  // What is no answer counts for nothing.
  await send('ada', '2026-03-02T10:00:02Z', { $survey_response_score: 9, padding: 'x'.repeat(size * 5) })
  await send('bob', '2026-03-02T10:00:03Z', { $survey_response_more: '\ud800\u0000 "}', $survey_response: null })
  await vi.waitFor(
    async () => expect((await ask('GET', `/surveys/${id}/results`)).body).toMatchObject({ answered: 4, counted: 3 }),
    { timeout: 20_000, interval: 200 },
  )
  const { questions } = (await ask('GET', `/surveys/${id}/results`)).body
  expect(
    questions.map(({ counts, texts }: { counts: object[]; texts: object[] }) => [counts.length, texts.length]),
  ).toEqual([
    [1, 0],
    [0, 0],
    [0, 2],
  ])
})
