import type { Moment, SessionDetail } from '../../lib/api/schemas.ts'
import { personName } from '../../lib/person.ts'
import { literal } from './supabase-js.ts'

/** What the timeline calls a click or a field without a name, which no test could find again. */
const nameless = new Set(['Click', 'Input'])

/** Most steps of one file: who reads it loses the way before. */
const mostSteps = 200

/**
 * A session as a test for Playwright: its pages, clicks and fields in their order, and what the requests that surely
 * belong to a click answered. What was typed is not recorded: it stands at the top to be filled in.
 */
export function renderPlaywrightTest({ session, moments }: Pick<SessionDetail, 'session' | 'moments'>): string {
  const done = moments.filter(
    ({ kind, label }) => kind === 'page' || ((kind === 'click' || kind === 'input') && !nameless.has(label)),
  )
  const steps = done.slice(0, mostSteps)
  const fields = [...new Set(steps.filter(({ kind }) => kind === 'input').map(({ label }) => label))]
  const values = fields.map((label) => `  ${literal(label)}: ${literal(typedValue(label, session.person.email))},\n`)
  const lines = steps.flatMap((moment, index) => linesOf(moment, steps[index - 1]))
  return `import { expect, test } from '@playwright/test'

// What was typed is not recorded: say it here, by the name of its field.
const typed = {${values.length === 0 ? '' : `\n${values.join('')}`}}

test(${literal(`${personName(session.person)}, ${session.startedAt.slice(0, 10)}`)}, async ({ page }) => {
${helpers(steps)}${lines.map((line) => `  ${line}\n`).join('')}${done.length > steps.length ? `  // ${done.length - steps.length} more steps were left out.\n` : ''}})
`
}

function helpers(steps: readonly Moment[]): string {
  const has = (kind: Moment['kind']) => steps.some((step) => step.kind === kind)
  const click = `  const named = (name) =>
    page
      .getByRole('button', { name, exact: true })
      .or(page.getByRole('link', { name, exact: true }))
      .or(page.getByLabel(name, { exact: true }))
      .or(page.getByText(name, { exact: true }))
      .first()
`
  const field = `  const field = (name) =>
    page.getByLabel(name, { exact: true }).or(page.getByPlaceholder(name, { exact: true })).first()
`
  const answer = `  const answer = (method, path) =>
    page.waitForResponse(
      (response) => response.request().method() === method && new URL(response.url()).pathname === path,
    )
`
  const asks = steps.some((step) => provenRequests(step).length > 0)
  const all = [has('click') && click, has('input') && field, asks && answer].filter(Boolean).join('')
  return all === '' ? '' : `${all}\n`
}

function linesOf(moment: Moment, before: Moment | undefined): readonly string[] {
  const { kind, label } = moment
  if (kind === 'page') return [pageLine(moment, before)]
  const act =
    kind === 'click'
      ? `await named(${literal(label)}).click()`
      : `await field(${literal(label)}).fill(typed[${literal(label)}])`
  const requests = provenRequests(moment)
  if (requests.length === 0) return [act]
  const waits = requests.map(({ method, path }) => `answer(${literal(method)}, ${literal(path)})`).join(', ')
  const statuses = requests.map(({ status }) => status).join(', ')
  return [
    '{',
    `  const answers = Promise.all([${waits}])`,
    `  ${act}`,
    `  expect((await answers).map((response) => response.status())).toEqual([${statuses}])`,
    '}',
  ]
}

/** The first page is gone to, and any that no click led to; others are where a click leads. */
function pageLine({ label, properties }: Moment, before: Moment | undefined): string {
  const href = typeof properties?.href === 'string' ? properties.href : label
  const isLed = before !== undefined && before.kind !== 'page'
  return isLed
    ? `await page.waitForURL((url) => url.pathname === ${literal(pathOf(href))})`
    : `await page.goto(${literal(href)})`
}

/** Requests that are known to follow from a click or a field. Each path and method stands once, since a second wait would never end. */
function provenRequests({ kind, requests }: Moment) {
  if (kind === 'page') return []
  const proven = requests.filter(({ place, link, path }) => place.exact && link.exact && !path.startsWith('/ingest'))
  return [...new Map(proven.map((request) => [`${request.method} ${request.path}`, request])).values()]
}

const pathOf = (href: string): string => (URL.canParse(href) ? new URL(href).pathname : href)

const typedValue = (label: string, email: string | null): string => (/e-?mail/i.test(label) ? (email ?? '') : '')
